import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import { reasonOf, type Tenant, World } from './support/world.js';

/** The longest piece of work that nothing else came between, in seconds of the thread's own time. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, isDone] = [0, false];
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  look();
  return longest / 1_000_000;
}

describe('templates', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer({ companyName: 'Backhaus Elbe GmbH' })).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const put = (body: object, key = 'invoice/de') => tenant.send('PUT', `/templates/${key}`, body);

  it('are ours until somebody writes them; a document has the texts of its day', async () => {
    expect(await tenant.ok('GET', '/templates/invoice/de')).toMatchObject({ isDefault: true, title: 'Rechnung' });
    const [before, after] = [await tenant.draft(customerId), await tenant.draft(customerId)];
    const first = await tenant.ok('POST', `/invoices/${before.id}/finalize`);
    expect(first.title).toBe('Rechnung');
    const answer = await put({
      title: 'Ihre Rechnung {{ number }}',
      introduction:
        'Zu zahlen: {{ totalGrossAmount }} bis {{ dueDate }}.{% if customFields.ref %} Ref {{ customFields.ref }}{% endif %}',
      closing: '',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ isDefault: false, closing: '' });
    const second = await tenant.ok('POST', `/invoices/${after.id}/finalize`);
    expect(second.title).toBe(`Ihre Rechnung ${second.number}`);
    expect(second.introduction).toMatch(/^Zu zahlen: 119,00 € bis \d\d\.\d\d\.\d{4}\.$/);
    expect(second.closing).toBeNull();
    expect((await tenant.ok('GET', `/invoices/${before.id}`)).title).toBe('Rechnung');
    await put({});
    expect(await tenant.ok('GET', '/templates/invoice/de')).toMatchObject({ isDefault: true, title: 'Rechnung' });
  });

  it('join what several subscriptions have, with commas', async () => {
    await put({
      introduction: '{{ subscription.name }} ({{ subscription.number }}): {{ subscription.customFields.branch }}',
    });
    const line = (subscriptionName: string, branch: string) => ({
      subscriptionId: newUuid() as never,
      subscriptionName,
      subscriptionNumber: `S-${subscriptionName}`,
      subscriptionCustomFields: { branch },
    });
    const team = line('Team', 'Nord');
    await tenant.charge([tenant.batch(customerId, [team, line('Speicher', 'Süd')])]);
    const { data } = await tenant.ok('GET', `/invoices?subscription=${team.subscriptionId}`);
    expect(data[0].introduction).toBe('Team, Speicher (S-Team, S-Speicher): Nord, Süd');
    await put({});
  });

  it('that are slow give way to ours, and between two documents others have their turn', async () => {
    const slow = `${'{% for i in (1..100) %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`;
    const texts = { introduction: `{% if subscription.name == "Slow" %}${slow}{% endif %}` };
    expect((await put(texts)).status).toBe(200);
    const customers = await Promise.all(Array.from({ length: 10 }, () => tenant.customer()));
    const longest = await longestTurn(() =>
      tenant.charge(customers.map(({ id }) => tenant.batch(id, [{ subscriptionName: 'Slow' }]))),
    );
    await put({});
    for (const { id } of customers) {
      const { data } = await tenant.ok('GET', `/invoices?customer=${id}`);
      expect(data).toMatchObject([{ introduction: 'Für unsere Leistungen erlauben wir uns zu berechnen:' }]);
    }
    // Each of them has the 0.2 seconds that its texts may take.
    expect(longest).toBeLessThan(1);
  });

  it('are refused with line and placeholder', async () => {
    const unknown = await put({ introduction: 'Hallo\n{{ customer.shoeSize }}' });
    expect(reasonOf(unknown)).toBe('422 template_invalid');
    expect(unknown.body).toMatchObject({
      violations: [
        { propertyPath: 'introduction', code: 'unknown_placeholder', message: expect.stringContaining('Line 2') },
      ],
    });
    expect(JSON.stringify(unknown.body)).toContain('customer.shoeSize');
    for (const text of [
      '{% if number %}',
      '{{ number | shout }}',
      "{% include 'x' %}",
      "{% render '/etc/passwd' %}",
      '{% for i in (1..1000000000) %}{{ i }}{% endfor %}',
      "{% assign a = 'a,b' | split: ',' %}{% for i in (1..40) %}{% assign a = a | push: a %}{% endfor %}{{ a }}",
      "{% assign a = 'aaaaaaaa' %}{% for i in (1..24) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}",
      '{% echo number %}',
      '{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}x{% endfor %}{% endfor %}{% endfor %}',
    ])
      expect([text, reasonOf(await put({ closing: text }))]).toEqual([text, '422 template_invalid']);
    expect(reasonOf(await put({ subject: 'x', body: 'y' }))).toBe('422 validation_failed');
    expect(reasonOf(await put({ subject: 'x' }, 'mail.invoice/de'))).toBe('422 validation_failed');
    expect((await put({}, 'invoice/fr')).status).toBe(404);
    expect((await put({}, 'letter/de')).status).toBe(404);
    expect(await tenant.ok('GET', '/templates/invoice/de')).toMatchObject({ isDefault: true });
  });

  it('show themselves with a real document', async () => {
    const { id } = await tenant.draft(customerId);
    const template = { introduction: 'Für {{ customer.name }}: {{ totalGrossAmount }}' };
    const preview = () => tenant.ok('POST', '/templates/invoice/de/preview', { invoice: id, template });
    expect(await preview()).toMatchObject({ title: 'Rechnung', introduction: expect.stringContaining(': 119,00 €') });
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    expect(await preview()).toMatchObject({ introduction: expect.stringContaining(': 119,00 €') });
    const wrong = await tenant.send('POST', '/templates/dunning/de/preview', { invoice: id });
    expect(reasonOf(wrong)).toBe('422 invalid_document_type');
    const mail = { subject: 'Nr. {{ number }}', body: '{{ greeting }}' };
    expect(
      await tenant.ok('POST', '/templates/mail.invoice/de/preview', { invoice: id, template: mail }),
    ).toMatchObject({ subject: expect.stringMatching(/^Nr\. RE-/) });
    const kind = { subject: '{{ kind }}', body: 'x' };
    expect(
      await tenant.ok('POST', '/templates/mail.invoice/de/preview', { invoice: id, template: kind }),
    ).toMatchObject({ subject: 'invoice' });
    expect(await tenant.ok('POST', '/templates/mail.offer/de/preview', { invoice: id, template: mail })).toMatchObject({
      subject: 'Nr. AN-2026-00001',
    });
  });

  it('show of a credit note what its mail says: no amount to be paid, and no day', async () => {
    const { id } = await tenant.draft(customerId);
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    const credit = await tenant.ok('POST', `/invoices/${id}/credit`, { reason: 'order_change' });
    const template = { subject: '{{ kind }}', body: '{{ totalGrossAmount }}{{ dueDate }}' };
    expect(
      await tenant.ok('POST', '/templates/mail.invoice/de/preview', { invoice: credit.id, template }),
    ).toMatchObject({ subject: 'credit', body: '119,00 €' });
  });

  it('show what a document says only to who may read documents', async () => {
    const { id } = await tenant.draft(customerId);
    const preview = async (...permissions: string[]) => {
      const send = world.test.as(apiKeyPrincipal(tenant.id, { permissions }));
      const answer = await send('POST', '/templates/invoice/de/preview', {
        invoice: id,
        template: { introduction: '{{ customer.name }}' },
      });
      return [answer.status, JSON.stringify(answer.body).includes('Backhaus')];
    };
    expect(await preview('settings:read')).toEqual([403, false]);
    expect(await preview('invoice:read')).toEqual([403, false]);
    expect(await preview('settings:read', 'invoice:read')).toEqual([201, true]);
  });

  it('list every placeholder with an example, and each can be used', async () => {
    const { data } = await tenant.ok('GET', '/templates/placeholders');
    expect(data.length).toBeGreaterThan(30);
    for (const { name, kinds, example } of data.filter((known: { name: string }) => !known.name.endsWith('*'))) {
      expect(example).not.toBe('');
      const mail = kinds[0].startsWith('mail.');
      const body = mail ? { subject: 'x', body: `{{ ${name} }}` } : { introduction: `{{ ${name} }}` };
      expect([name, (await put(body, `${kinds[0]}/en`)).status]).toEqual([name, 200]);
    }
  });
});
