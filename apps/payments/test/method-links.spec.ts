import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegistrationAnswer, RegistrationRequest } from '../src/gateways/port/registering-gateway.js';
import { Gateways } from '../src/gateways/port/payment-gateway.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
const seller = {
  company: 'Nordlicht <Software> GmbH',
  address: { street: 'Musterstraße', houseNumber: '1', zip: '10115', city: 'Berlin', countryCode: 'DE' },
  bankAccount: { iban: 'DE02120300000000202051' },
  creditorIdentifier: 'DE98ZZZ09999999999',
};

/** A provider as the port sees it, that answers as each test says. */
const provider = {
  name: 'card_provider',
  asked: [] as RegistrationRequest[],
  answer: (): Promise<RegistrationAnswer> => Promise.reject(new Error('not set')),
  later: (): Promise<RegistrationAnswer> => Promise.reject(new Error('not set')),
  register(request: RegistrationRequest) {
    this.asked.push(request);
    return this.answer();
  },
  registration() {
    return this.later();
  },
  collect: () => Promise.resolve(new Map()),
};
const card = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, cardHolder: 'Ada Lovelace' };

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: { seller, preNotificationDays: 3 } });
  const gateways = world.service.get(Gateways);
  const find = gateways.find.bind(gateways);
  gateways.find = (name) => (name === 'card_provider' ? (provider as never) : find(name));
});
afterAll(() => world.stop());

const linkFor = async (
  more: object = {},
  customerId?: string,
): Promise<{ path: string; customerId: string; expiresAt: string }> => {
  const id = customerId ?? (await tenant.customer());
  const { link, expiresAt } = await tenant.ok('POST', '/payment-methods/link', { customerId: id, ...more });
  return { path: new URL(link).pathname, customerId: id, expiresAt };
};
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.service.url}${path}`, { headers, redirect: 'manual' });
  return {
    status: response.status,
    html: await response.text(),
    headers: response.headers,
    location: response.headers.get('location'),
  };
}
async function post(path: string, fields: Record<string, string>) {
  const response = await fetch(`${world.service.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') };
}
const sepa = {
  gateway: 'sepa_debit',
  accountHolder: 'Ada Lovelace',
  iban: 'de89 3704 0044 0532 0130 00',
  consent: 'yes',
};
const methodsOf = async (customerId: string): Promise<Json[]> =>
  (await tenant.ok('GET', `/payment-methods?customer=${customerId}`)).data;

describe('the page behind a link', () => {
  it('shows the mandate with what SEPA asks for, in the language of the customer or the chosen one', async () => {
    const { path, expiresAt } = await linkFor();
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    const page = await get(path);
    expect(page.status).toBe(200);
    for (const part of [
      '<html lang="de">',
      'Nordlicht &#60;Software&#62; GmbH',
      'DE98ZZZ09999999999',
      'Musterstraße 1',
      'Elbchaussee 12',
      'mittels Lastschrift einzuziehen',
      'innerhalb von acht Wochen',
      '3 Tage',
      'Wiederkehrende Zahlung',
    ])
      expect(page.html).toContain(part);
    expect(page.html).toMatch(/M-[0-9A-Z]{26}/);
    const english = await get(`${path}?lang=en`);
    for (const part of ['<html lang="en">', 'you authorise (A) Nordlicht', 'within 8 weeks', 'Recurrent payment'])
      expect(english.html).toContain(part);
  });

  it('can do nothing but be filled in: no scripts, nothing from elsewhere, no frame, no cache', async () => {
    const { path } = await linkFor();
    const { headers, html } = await get(path);
    expect(headers.get('content-security-policy')).toMatch(
      new RegExp(
        "^default-src 'none'; style-src 'sha256-[^']+'; " +
          "form-action 'self' https: http://127\\.0\\.0\\.1:\\* http://localhost:\\*; " +
          "base-uri 'none'; frame-ancestors 'none'$",
      ),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).not.toMatch(/<script|<link|src=|@import|url\(/);
  });

  it('offers what is allowed and possible', async () => {
    const names = async (more: object): Promise<string[]> =>
      [...(await get((await linkFor(more)).path)).html.matchAll(/name="gateway" value="(\w+)"/g)].map(
        (m) => m[1] ?? '',
      );
    expect(await names({})).toEqual(['sepa_debit', 'card_provider', 'bank_transfer', 'testing', 'fake_provider']);
    expect(await names({ allowedTypes: ['card', 'sepa_debit'] })).toEqual(['sepa_debit', 'card_provider']);
    expect(await names({ allowedTypes: ['testing'] })).toEqual(['testing']);
    const live = await world.tenant({ settings: { seller: { company: 'X' } } });
    await live.features([], 'live');
    const { link } = await live.ok('POST', '/payment-methods/link', { customerId: await live.customer() });
    expect((await get(new URL(link).pathname)).html).not.toMatch(/value="(testing|fake_provider|sepa_debit)"/);
  });

  it('is there for nobody who does not know it', async () => {
    for (const token of ['x', 'A'.repeat(43), "'".repeat(43), 'A'.repeat(500)]) {
      for (const path of [`/public/payment-methods/${token}`, `/public/payment-methods/returns/${token}`]) {
        const page = await get(path, { 'accept-language': 'de-DE,de' });
        expect([page.status, page.html.includes('gilt nicht mehr')]).toEqual([404, true]);
      }
    }
  });
});

describe('a mandate that is given on the page', () => {
  it('is kept with the consent, becomes the default and uses the link up', async () => {
    const { path, customerId } = await linkFor({ redirectUrl: 'https://shop.example/back?cart=7' });
    const reference = /M-[0-9A-Z]{26}/.exec((await get(path)).html)?.[0];
    const sent = await post(`${path}?lang=de`, sepa);
    const [method] = await methodsOf(customerId);
    expect([sent.status, sent.location]).toEqual([
      303,
      `https://shop.example/back?cart=7&status=success&paymentMethodId=${method.id}`,
    ]);
    expect(method).toMatchObject({
      source: 'add_link',
      default: true,
      status: 'active',
      sepaDebit: { iban: 'DE89••••3000', mandateReference: reference },
    });
    const [row] = await tenant.rows<Json>('SELECT details FROM payment_method WHERE id = $1', [method.id]);
    expect(row.details.mandate.consent).toMatchObject({
      language: 'de',
      text: expect.stringContaining('Ich erteile dieses SEPA-Lastschriftmandat.'),
    });
    const again = await post(path, sepa);
    expect([again.status, again.location]).toEqual([sent.status, sent.location]);
    expect(await methodsOf(customerId)).toHaveLength(1);
    const after = await get(path);
    expect(after.html).toContain('SEPA DE89••••3000');
  });

  it('twice at once is one', async () => {
    const { path, customerId } = await linkFor({ redirectUrl: 'https://shop.example/back' });
    const sent = await Promise.all([post(path, sepa), post(path, sepa), post(path, sepa)]);
    const added = await methodsOf(customerId);
    const next = `https://shop.example/back?status=success&paymentMethodId=${added[0]?.id}`;
    expect([added.length, ...sent.map(({ location }) => location)]).toEqual([1, next, next, next]);
  });

  it.each([
    { iban: 'DE02120300000000202051' },
    { iban: 'DE02' },
    { accountHolder: 'Grace Hopper' },
    { gateway: 'bank_transfer' },
  ])('is not said to be another one, such as with %j', async (more) => {
    const { path, customerId } = await linkFor({ redirectUrl: 'https://shop.example/back' });
    await post(path, sepa);
    const sent = await post(`${path}?lang=en`, { ...sepa, ...more });
    expect([sent.status, sent.location]).toEqual([410, null]);
    expect(sent.html).toContain('has added “SEPA DE89••••3000”');
    expect(await methodsOf(customerId)).toHaveLength(1);
  });

  it.each([
    [{ iban: 'DE89370400440532013001' }, 'Diese IBAN stimmt nicht'],
    [{ iban: 'BR1500000000000010932840814P2' }, 'außerhalb des SEPA-Raums'],
    [{ iban: '<script>' }, 'Diese IBAN stimmt nicht'],
    [{ accountHolder: ' ' }, 'Namen des Kontoinhabers'],
    [{ consent: '' }, 'Ohne Ihre Zustimmung'],
    [{ gateway: 'wallet' }, 'nicht angenommen'],
    [{ gateway: '' }, 'nicht angenommen'],
  ])('is refused with %j, keeps what was typed, and nothing is added', async (more, words) => {
    const { path, customerId } = await linkFor();
    const sent = await post(path, { ...sepa, ...more });
    expect([sent.status, sent.html.includes(words), sent.html.includes('<script>')]).toEqual([422, true, false]);
    if (!('accountHolder' in more)) expect(sent.html).toContain('value="Ada Lovelace"');
    expect(await methodsOf(customerId)).toEqual([]);
  });

  it('after the link has ended is not taken', async () => {
    const { path, customerId } = await linkFor();
    await world.test.peek(`UPDATE method_link SET expires_at = now() - interval '1 second' WHERE customer_id = $1`, [
      customerId,
    ]);
    expect([(await get(path)).status, (await post(path, sepa)).status]).toEqual([410, 410]);
    expect(await methodsOf(customerId)).toEqual([]);
  });
});

describe('a card that is entered at the provider', () => {
  it('is active when the payer comes back, and the customer goes on to the redirectUrl', async () => {
    provider.asked.length = 0;
    provider.answer = () =>
      Promise.resolve({
        status: 'action_required',
        referenceId: 'seti_1',
        actionUrl: 'https://provider.example/setup/1',
      });
    const { path, customerId } = await linkFor({ redirectUrl: 'http://127.0.0.1:9/back' });
    const sent = await post(path, { gateway: 'card_provider' });
    expect([sent.status, sent.location]).toEqual([303, 'https://provider.example/setup/1']);
    expect(await methodsOf(customerId)).toMatchObject([{ status: 'action_required', default: false }]);
    const back = new URL(provider.asked[0]!.redirectUrl).pathname;
    provider.later = () => Promise.reject(new Error('time-out'));
    expect((await get(back)).location).toMatch(/^http:\/\/127\.0\.0\.1:9\/back\?status=pending/);
    provider.later = () => Promise.resolve({ status: 'active', referenceId: 'pm_1', card });
    const returned = await get(back);
    const [method] = await methodsOf(customerId);
    expect(returned.location).toBe(`http://127.0.0.1:9/back?status=success&paymentMethodId=${method.id}`);
    expect(method).toMatchObject({
      status: 'active',
      default: true,
      referenceId: 'pm_1',
      name: 'Visa •••• 4242',
      card,
      expirationDate: '2099-12-31T22:59:59.999Z',
      source: 'add_link',
    });
    expect(
      (await tenant.events(method.id)).map((event) => [event.payload.notices[0].type, event.payload.state.status]),
    ).toEqual([
      ['payment_method.created', 'action_required'],
      ['payment_method.updated', 'active'],
    ]);
    expect((await get(back)).location).toBe(returned.location);
    expect((await get(path)).html).toContain('data-result="done"');
  });

  it('that the provider refuses leaves the page as it was, and the link good for another try', async () => {
    provider.answer = () => Promise.resolve({ status: 'failed', referenceId: null, failReason: 'card_declined' });
    const { path, customerId } = await linkFor();
    const sent = await post(path, { gateway: 'card_provider' });
    expect([sent.status, sent.html.includes('nicht angenommen')]).toEqual([422, true]);
    expect(await methodsOf(customerId)).toEqual([]);
    expect((await post(path, sepa)).status).toBe(303);
  });
});

describe('POST /payment-methods at a provider', () => {
  const add = async (more: object = {}) =>
    tenant.call('POST', '/payment-methods', { gateway: 'card_provider', customerId: await tenant.customer(), ...more });

  it('that wants the payer says where to go, and ends on the default page without a redirectUrl', async () => {
    provider.asked.length = 0;
    provider.answer = () =>
      Promise.resolve({
        status: 'action_required',
        referenceId: 'seti_2',
        actionUrl: 'https://provider.example/setup/2',
      });
    const { status, body } = await add({ cardProvider: { token: 'tok_1' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'action_required',
      actionRequired: true,
      failReason: null,
      actionUrl: 'https://provider.example/setup/2',
      paymentMethod: { status: 'action_required', default: false, source: 'api' },
    });
    expect(provider.asked[0]).toMatchObject({ methodId: body.paymentMethod.id, cardProvider: { token: 'tok_1' } });
    provider.later = () =>
      Promise.resolve({ status: 'failed', referenceId: null, failReason: 'authentication_failed' });
    const back = await get(new URL(provider.asked[0]!.redirectUrl).pathname);
    expect([back.status, back.html.includes('data-result="failed"')]).toEqual([200, true]);
    expect(await tenant.ok('GET', `/payment-methods/${body.paymentMethod.id}`)).toMatchObject({ status: 'revoked' });
  });

  it('that refuses makes no method', async () => {
    provider.answer = () => Promise.resolve({ status: 'failed', referenceId: null, failReason: 'card_declined' });
    expect((await add()).body).toEqual({
      status: 'failed',
      actionRequired: false,
      failReason: 'card_declined',
      paymentMethod: null,
    });
  });

  it('is refused with what belongs to another customer', async () => {
    provider.answer = () => Promise.resolve({ status: 'active', referenceId: 'pm_shared', card });
    expect((await add({ cardProvider: { token: 'pm_shared' } })).body.status).toBe('active');
    const second = await add({ cardProvider: { token: 'pm_shared' } });
    expect(second.body).toEqual({
      status: 'failed',
      actionRequired: false,
      failReason: 'belongs_to_another_customer',
      paymentMethod: null,
    });
  });

  it('that the payer leaves half-way leads back to the provider', async () => {
    provider.asked.length = 0;
    const waits: RegistrationAnswer = {
      status: 'action_required',
      referenceId: 'seti_5',
      actionUrl: 'https://provider.example/setup/5',
    };
    provider.answer = () => Promise.resolve(waits);
    await add();
    provider.later = () => Promise.resolve(waits);
    const { html } = await get(new URL(provider.asked[0]!.redirectUrl).pathname);
    for (const part of ['data-result="unfinished"', 'href="https://provider.example/setup/5"', 'nicht abgeschlossen'])
      expect(html).toContain(part);
  });

  it('is asked once for one Idempotency-Key', async () => {
    provider.asked.length = 0;
    provider.answer = () => Promise.resolve({ status: 'active', referenceId: 'pm_3', card });
    const body = { gateway: 'card_provider', customerId: await tenant.customer() };
    const send = () => tenant.call('POST', '/payment-methods', body, { 'idempotency-key': 'card-1' });
    const first = await send();
    expect(first).toMatchObject({ status: 201, body: { status: 'active', paymentMethod: { default: true } } });
    expect(await send()).toEqual(first);
    expect(provider.asked).toHaveLength(1);
  });

  it('that does not answer is asked again under the same id', async () => {
    provider.asked.length = 0;
    provider.answer = () => Promise.reject(new Error('time-out'));
    const { body } = await add();
    expect(body).toMatchObject({ status: 'action_required', failReason: 'gateway_unavailable', paymentMethod: null });
    provider.answer = () => Promise.resolve({ status: 'active', referenceId: 'pm_9', card });
    await world.test.peek(
      `UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.register_method'`,
    );
    await world.service.kit.dueRunner.runDue(tenant.id, new Date()).catch(() => undefined);
    const id = provider.asked[0]!.methodId;
    for (let i = 0; i < 200 && (await tenant.call('GET', `/payment-methods/${id}`)).status !== 200; i++)
      await new Promise((r) => setTimeout(r, 25));
    expect(await tenant.ok('GET', `/payment-methods/${id}`)).toMatchObject({ status: 'active', default: true });
    expect(new Set(provider.asked.map((request) => `${request.methodId} ${request.redirectUrl}`)).size).toBe(1);
  });

  it('whose credentials are set later is made then', async () => {
    provider.answer = () =>
      Promise.resolve({ status: 'gateway_unconfigured', referenceId: null, failReason: 'gateway_unconfigured' });
    const { body } = await add();
    const { id } = body.paymentMethod;
    expect(body.paymentMethod).toMatchObject({ status: 'gateway_unconfigured', default: false });
    const again = () =>
      world.test.peek(
        `UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.register_method' AND ref = $1`,
        [id],
      );
    const asked = provider.asked.length;
    await again();
    await eventually(() => Promise.resolve(provider.asked.length > asked), 'the second question');
    provider.answer = () => Promise.resolve({ status: 'active', referenceId: 'pm_10', card });
    await eventually(async () => {
      await again();
      return (await tenant.ok('GET', `/payment-methods/${id}`)).status === 'active';
    }, 'the method');
    expect((await tenant.events(id)).map((event) => event.payload.state.status)).toEqual([
      'gateway_unconfigured',
      'active',
    ]);
  });

  it('does not come back after it was removed', async () => {
    provider.asked.length = 0;
    provider.answer = () =>
      Promise.resolve({
        status: 'action_required',
        referenceId: 'seti_3',
        actionUrl: 'https://provider.example/setup/3',
      });
    const { body } = await add();
    expect((await tenant.call('DELETE', `/payment-methods/${body.paymentMethod.id}`)).status).toBe(204);
    provider.later = () => Promise.resolve({ status: 'active', referenceId: 'pm_11', card });
    const back = await get(new URL(provider.asked[0]!.redirectUrl).pathname);
    expect([back.status, back.html.includes('data-result="failed"')]).toEqual([200, true]);
    expect((await tenant.call('GET', `/payment-methods/${body.paymentMethod.id}`)).status).toBe(404);
  });

  it('without credentials makes a method that says so', async () => {
    const answer = await tenant.call('POST', '/payment-methods', {
      gateway: 'online_wallet_provider',
      customerId: await tenant.customer(),
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: 'gateway_unconfigured',
        actionRequired: false,
        failReason: 'gateway_unconfigured',
        paymentMethod: { status: 'gateway_unconfigured', type: 'online_wallet_provider' },
      },
    });
  });
});

describe('making a link', () => {
  it.each([
    [{ customerId: undefined }, 400, 'invalid_request'],
    [{ allowedTypes: ['cash'] }, 422, 'validation_failed'],
    [{ allowedTypes: ['wallet'] }, 422, 'validation_failed'],
    [{ allowedTypes: 'card' }, 400, 'invalid_request'],
    [{ redirectUrl: 'http://shop.example' }, 422, 'validation_failed'],
    [{ redirectUrl: 'ftp://shop.example' }, 422, 'validation_failed'],
    [{ sendEmail: 'yes' }, 400, 'invalid_request'],
    [{ colour: 'red' }, 400, 'unknown_field'],
  ])('is refused with %j', async (more, status, reason) => {
    const { status: got, body } = await tenant.call('POST', '/payment-methods/link', {
      customerId: await tenant.customer(),
      ...more,
    });
    expect([got, body.reason]).toEqual([status, reason]);
  });

  it('with sendEmail notifies by an event; the token itself is not stored', async () => {
    const { path, customerId } = await linkFor({ sendEmail: true });
    const token = path.split('/').at(-1)!;
    const [row] = await tenant.rows<{ id: string; token_digest: string }>(
      'SELECT * FROM method_link WHERE customer_id = $1',
      [customerId],
    );
    expect(JSON.stringify(row)).not.toContain(token);
    const [event] = await tenant.events(row!.id);
    expect(event).toMatchObject({
      type: 'payments.method.link-created.v1',
      payload: { customerId, link: expect.stringContaining(token) },
    });
    const silent = await linkFor();
    const [other] = await tenant.rows<{ id: string }>('SELECT id FROM method_link WHERE customer_id = $1', [
      silent.customerId,
    ]);
    expect(await tenant.events(other!.id)).toEqual([]);
  });
});
