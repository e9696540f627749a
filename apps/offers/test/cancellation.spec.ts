import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { forgetOld, setTenantClock } from '@kontor/persistence';
import { apiKeyPrincipal, eventually, testService, type TestService } from '@kontor/testing';
import { offersService } from '../src/index.js';
import { BillingStandIn } from './support/billing-stand-in.js';

/** The cancellation button: two steps, the same answer for everybody. */
describe('the page on which contracts are cancelled', () => {
  let billing: BillingStandIn;
  let offers: TestService;
  const [tenantId, customerId, subscriptionId] = [newUuid(), newUuid(), newUuid()];
  const staff = () => offers.as(apiKeyPrincipal(tenantId));

  beforeAll(async () => {
    billing = await BillingStandIn.start();
    billing.answers = ({ body }) =>
      body['email'] === 'jule@backhaus.example'
        ? { customerId, subscriptionId }
        : { customerId: null, subscriptionId: null };
    offers = await testService(offersService, { directory: billing.directory });
    offers.service.kit.replicas.readThrough(null);
    await offers.giveCopy('tenant', tenantId, tenantId, {
      id: tenantId,
      name: 'Nordlicht Software GmbH',
      timeZone: 'Europe/Berlin',
      mode: 'sandbox',
    });
  });
  afterAll(async () => {
    await offers?.stop();
    await billing?.stop();
  });

  const send = async (form: Record<string, string> | null, tenant: string = tenantId) => {
    const answer = await fetch(`${offers.service.url}/public/cancellation/${tenant}?lang=de`, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const filledIn = {
    name: 'Jule Brandt',
    email: 'jule@backhaus.example',
    contract: 'S-10001',
    kind: 'ordinary',
    reason: '',
    wantedOn: '',
  };
  const keyOf = (text: string): string => /name="key" value="([0-9a-f-]{36})"/.exec(text)?.[1] ?? '';
  const noticeOf = (id: string, state: string) =>
    eventually(async () => {
      const { status, body } = await staff()('GET', `/cancellation-notices/${id}`);
      return status === 200 && body.state === state && body;
    }, `the notice is ${state}`);

  it('takes a cancellation in two steps, once, and confirms it with its time', async () => {
    expect((await send(null)).text).toContain('Verträge hier kündigen');
    const second = await send({ ...filledIn, action: 'check' });
    expect(second.status).toBe(200);
    expect(second.text).toContain('Jetzt kündigen');
    expect(second.text).toContain('zum nächstmöglichen Zeitpunkt');
    const key = keyOf(second.text);
    // Nothing is declared before the second button.
    expect((await staff()('GET', '/cancellation-notices')).body.data).toEqual([]);
    const [first, again] = await Promise.all([1, 2].map(() => send({ ...filledIn, key, action: 'cancel' })));
    expect([first?.status, again?.status]).toEqual([200, 200]);
    expect(first?.text).toMatch(/Eingegangen am \d+\. \S+ \d{4} um \d\d:\d\d:\d\d/);
    const notice = await noticeOf(key, 'cancelled');
    expect(notice).toMatchObject({
      kind: 'ordinary',
      customer: { id: customerId },
      subscription: { id: subscriptionId },
    });
    expect((await staff()('GET', '/cancellation-notices?state=cancelled')).body.data).toHaveLength(1);
    const sent = await offers.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'offers.cancellation-notice.received.v1' AND aggregate_id = $1`,
      [key],
    );
    expect(sent).toHaveLength(1);
  });

  it('says the same to whoever has no contract, and leaves what is unclear to staff', async () => {
    const stranger = { ...filledIn, email: 'wer@anders.example' };
    const key = newUuid();
    const answer = await send({ ...stranger, key, action: 'cancel' });
    const known = await send({ ...filledIn, key: newUuid(), action: 'cancel' });
    const anonymous = (text: string) =>
      text.replaceAll(/wer@anders\.example|jule@backhaus\.example/g, '@').replace(/Eingegangen am [^<]*/, '');
    expect(anonymous(answer.text)).toBe(anonymous(known.text));
    expect((await noticeOf(key, 'unclear')).customer).toBeNull();
  });

  it('keeps a notice that means nobody as long as a letter, and no longer', async () => {
    const { database, config } = offers.service.kit;
    // The form, which anybody may write, has chosen the last id that there is.
    const [nobodys, customers] = ['ffffffff-ffff-4fff-bfff-fffffffffffe', newUuid()];
    await send({ ...filledIn, email: 'wer@anders.example', key: nobodys, action: 'cancel' });
    await send({ ...filledIn, key: customers, action: 'cancel' });
    await noticeOf(nobodys, 'unclear');
    await noticeOf(customers, 'cancelled');
    const leftAfter = async (years: number): Promise<string[]> => {
      await offers.peek(
        `UPDATE cancellation_notice SET received_at = now() - make_interval(years => $2) WHERE id = ANY ($1)`,
        [[nobodys, customers], years],
      );
      for (const rule of offersService.retention?.(config) ?? []) await forgetOld(database, tenantId, rule);
      const rows = await offers.peek<{ id: string }>('SELECT id FROM cancellation_notice WHERE id = ANY ($1)', [
        [nobodys, customers],
      ]);
      return rows.map(({ id }) => id).sort();
    };
    expect(await leftAfter(6)).toEqual([nobodys, customers].sort());
    expect(await leftAfter(7)).toEqual([customers]);
  });

  it('an extraordinary notice needs its reason', async () => {
    expect((await send({ ...filledIn, kind: 'extraordinary', action: 'cancel' })).status).toBe(422);
    const key = newUuid();
    const declared = { ...filledIn, key, kind: 'extraordinary', reason: 'Seit Wochen <kein> Zugang', action: 'cancel' };
    const answer = await send(declared);
    expect(answer.text).toContain('Seit Wochen &#60;kein&#62; Zugang');
    await noticeOf(key, 'cancelled');
    expect(billing.asked.at(-1)?.body['reason']).toContain('Extraordinary notice on the public page: Seit Wochen');
  });

  it('what billing refuses is there to be looked at; while billing is away it waits', async () => {
    billing.isAway = true;
    const key = newUuid();
    expect((await send({ ...filledIn, key, action: 'cancel' })).status).toBe(200);
    billing.isAway = false;
    billing.refusal = { status: 422, reason: 'no_possible_cancellation_date' };
    expect((await noticeOf(key, 'failed')).failure).toBe('no_possible_cancellation_date');
    billing.refusal = null;
  });

  it.each([
    ['no name', { name: ' ' }],
    ['no address', { email: 'jule' }],
    ['two addresses', { email: 'a@x.example,b@x.example' }],
    ['no contract', { contract: '' }],
    ['a day that is none', { wantedOn: '2026-02-31' }],
    ['a day that is over', { wantedOn: '2020-01-01' }],
  ])('asks again with %s', async (_name, wrong) => {
    const answer = await send({ ...filledIn, ...wrong, action: 'cancel' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('role="alert"');
  });

  it('goes by the days of the seller', async () => {
    const seller = newUuid();
    await offers.giveCopy('tenant', seller, seller, {
      id: seller,
      name: 'Kanu Pacific Ltd',
      timeZone: 'America/Los_Angeles',
      mode: 'sandbox',
    });
    const evening = new Date('2026-03-02T04:00:00Z');
    await offers.service.kit.database.system((sql) => setTenantClock(sql, seller, evening));
    const wanted = async (wantedOn: string) => (await send({ ...filledIn, wantedOn, action: 'check' }, seller)).status;
    expect([await wanted('2026-02-28'), await wanted('2026-03-01')]).toEqual([422, 200]);
  });

  it('who is no seller has no such page', async () => {
    for (const tenant of [newUuid(), 'nobody'])
      expect([(await send(null, tenant)).status, (await send(filledIn, tenant)).status]).toEqual([404, 404]);
  });
});
