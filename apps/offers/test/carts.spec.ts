import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { forgetOld } from '@kontor/persistence';
import { apiKeyPrincipal, customerPrincipal, eventually, testService, type TestService } from '@kontor/testing';
import { offersService } from '../src/index.js';
import { BillingStandIn } from './support/billing-stand-in.js';
import { InvoicingLog } from './support/invoicing-log.js';

const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const QUOTE = {
  currencyCode: 'EUR',
  lines: [{ name: 'Team', description: null, quantity: '1', netAmount: eur(1000), discountAmount: null }],
  totals: { net: eur(1000), tax: eur(190), gross: eur(1190), discount: eur(0) },
  recurring: [],
  billingDate: null,
  vatId: null,
  vatIdStatus: 'unchecked',
};

let billing: BillingStandIn;
let offers: TestService;
const [tenantId, customerId] = [newUuid(), newUuid()];
const staff = () => offers.as(apiKeyPrincipal(tenantId));
const anybody = () => offers.as(null);
const stored = [
  { id: newUuid(), gatewayName: 'card_provider', type: 'card', name: 'Visa 4242', data: ['Visa 4242'], default: true },
];

beforeAll(async () => {
  billing = await BillingStandIn.start();
  billing.answers = ({ method, path }) => {
    if (path.endsWith('/quotes')) return QUOTE;
    if (method === 'GET' && path.startsWith('/internal/checkout-methods/customers')) return { data: stored };
    if (path === '/internal/checkout-methods')
      return { status: 'active', actionRequired: false, failReason: null, paymentMethod: { id: newUuid() } };
    return { customerId, subscriptionId: newUuid(), invoiceId: newUuid() };
  };
  offers = await testService(offersService, { directory: billing.directory });
  offers.service.kit.replicas.readThrough(null);
  await offers.giveCopy('tenant', tenantId, tenantId, {
    id: tenantId,
    name: 'Nordlicht Software GmbH',
    timeZone: 'Europe/Berlin',
    mode: 'sandbox',
  });
  const unknown = { companyName: null, firstName: null, lastName: null, street: null, houseNumber: null, zip: null };
  const address = {
    ...unknown,
    id: newUuid(),
    type: 'TYPE_DEFAULT',
    default: true,
    status: 'active',
    city: 'Hamburg',
    addition: null,
    countryCode: 'DE',
    vatId: null,
  };
  await offers.giveCopy('customer', tenantId, customerId, {
    id: customerId,
    status: 'STATUS_ACTIVE',
    email: 'einkauf@backhaus.example',
    language: 'de',
    companyName: 'Backhaus Elbe GmbH',
    firstName: null,
    lastName: null,
    addresses: [address],
    representation: { id: customerId },
  });
});
afterAll(async () => {
  await offers?.stop();
  await billing?.stop();
});
beforeEach(() => {
  billing.step = { state: 'open', link: null };
});

async function aLink(more: object = {}) {
  const made = await staff()('POST', '/checkout-links', { items: [{ pricePlan: newUuid() }], ...more });
  expect(made.status).toBe(201);
  return made.body;
}
async function aCart(more: object = {}, link: object = {}) {
  const { id } = await aLink(link);
  const made = await staff()('POST', `/checkout-links/${id}/cart`, more);
  expect(made.status).toBe(201);
  return { ...made.body, path: `/public/checkout/cart/${made.body.token}` };
}
const order = { email: 'neu@x.example', phone: '1', newInvoiceAddress: { companyName: 'Neu GmbH' } };

describe("a cart's token", () => {
  it('has 256 bits, of which the digest alone is kept, and is shown once', async () => {
    const cart = await aCart();
    expect(cart.token).toMatch(/^[\w-]{43}$/);
    expect(cart.url).toContain(`/public/checkout/carts/${cart.token}`);
    const rows = await offers.peek<{ row: string }>('SELECT cart::text AS row FROM cart WHERE id = $1', [cart.id]);
    const events = await offers.peek<{ payload: string }>('SELECT payload FROM outbox WHERE aggregate_id = $1', [
      cart.id,
    ]);
    for (const text of [rows[0]?.row, ...events.map(({ payload }) => payload)]) expect(text).not.toContain(cart.token);
    const read = await staff()('GET', `/checkout/carts/${cart.id}`);
    expect([read.status, read.body.token, read.body.url]).toEqual([200, undefined, undefined]);
  });

  it('is all that a buyer needs; the id is nothing without an Authorization', async () => {
    const cart = await aCart({ customer: customerId });
    expect((await anybody()('GET', cart.path)).status).toBe(200);
    const byId = `/public/checkout/cart/${cart.id}`;
    const answers: [Principal | null, number][] = [
      [null, 404],
      [apiKeyPrincipal(newUuid()), 404],
      [customerPrincipal(tenantId, newUuid()), 404],
      [customerPrincipal(tenantId, customerId), 200],
      [apiKeyPrincipal(tenantId), 200],
    ];
    for (const [caller, status] of answers) {
      expect((await offers.as(caller)('GET', byId)).status).toBe(status);
      expect((await offers.as(caller)('PUT', `${byId}/coupon`, {})).status).toBe(status);
    }
    expect(
      (await offers.as({ ...apiKeyPrincipal(tenantId), permissions: ['cart:read'] })('PUT', `${byId}/coupon`, {}))
        .status,
    ).toBe(404);
  });

  it('shows what a customer has stored to that customer only', async () => {
    const cart = await aCart({ customer: customerId });
    const seen = async (caller: Principal | null) => [
      (await offers.as(caller)('GET', `${cart.path}/payment-methods`)).body.stored.length,
      (await offers.as(caller)('GET', `${cart.path}/invoice-addresses`)).body.data.length,
      (
        await offers.as(caller)('POST', `${cart.path}/prepare-payment-method`, {
          newPaymentMethod: { gateway: 'testing' },
        })
      ).status,
    ];
    expect(await seen(null)).toEqual([0, 0, 422]);
    expect(await seen(customerPrincipal(tenantId, newUuid()))).toEqual([0, 0, 422]);
    expect(await seen(customerPrincipal(tenantId, customerId))).toEqual([1, 1, 201]);
    expect(await seen(apiKeyPrincipal(tenantId))).toEqual([1, 1, 201]);
  });
});

it('a cart is quoted in the language of its page', async () => {
  const cart = await aCart();
  const page = await fetch(`${offers.service.url}/public/checkout/carts/${cart.token}?lang=en`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action: 'update', countryCode: 'AT' }),
  });
  expect(page.status).toBe(200);
  const asked = billing.asked.findLast(({ path }) => path.endsWith('/quotes'));
  expect(asked?.body['buyer']).toMatchObject({ language: 'en', countryCode: 'AT' });
});

describe('a form that is sent twice', () => {
  const send = (token: string, form: Record<string, string>) =>
    fetch(`${offers.service.url}/public/checkout/carts/${token}?lang=en`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  const buyer = { email: 'neu@x.example', phone: '1', companyName: 'Neu GmbH', countryCode: 'DE', terms: 'yes' };
  const place = { street: 'Ring', houseNumber: '1', zip: '20095', city: 'Hamburg' };
  const form = { ...buyer, ...place, gateway: 'testing', total: '1190', currency: 'EUR' };
  afterEach(() => {
    billing.pause = () => undefined;
    billing.refuses = () => null;
  });

  it('computes the price for both clicks', async () => {
    const { token } = await aCart();
    let second: Promise<Response> | undefined;
    billing.pause = async ({ path }, moment) => {
      if (moment === 'before' || !path.endsWith('/quotes') || second) return;
      second = send(token, { ...form, action: 'update' });
      await second;
    };
    const first = await send(token, { ...form, action: 'update' });
    expect([first.status, (await second)?.status]).toEqual([200, 200]);
  });

  it('says why it was refused to both clicks', async () => {
    const { token } = await aCart();
    billing.refuses = ({ method, path }) =>
      method === 'POST' && path.endsWith('/customer') ? { status: 422, reason: 'coupon_exhausted' } : null;
    let second: Promise<Response> | undefined;
    billing.pause = async ({ path }, moment) => {
      if (moment === 'after' || !path.endsWith('/customer') || second) return;
      second = send(token, { ...form, action: 'order' });
      // By then it waits for what becomes of the first one.
      await new Promise((resolve) => setTimeout(resolve, 300));
    };
    const first = await send(token, { ...form, action: 'order' });
    const pages = [await first.text(), await (await second)?.text()];
    expect(pages).toEqual(pages.map(() => expect.stringContaining('This coupon is used up.')));
  });
});

describe('a confirmation', () => {
  it('leads a payer who has to act to the page where that is done', async () => {
    billing.step = { state: 'action', link: 'https://pay.example/step' };
    const cart = await aCart();
    const answer = await anybody()('PUT', `${cart.path}/confirm`, { ...order, gateway: 'fake_provider' });
    expect(answer.body).toEqual({
      action: 'redirect',
      redirectUrl: 'https://pay.example/step',
      status: 'redirect_to_payment',
      confirmationMessage: null,
    });
    expect((await anybody()('PUT', `${cart.path}/confirm`, {})).body).toEqual(answer.body);
    const shown = await fetch(`${offers.service.url}/public/checkout/carts/${cart.token}?lang=en`);
    expect(await shown.text()).toContain('href="https://pay.example/step"');
  });

  it('asks for no step where the seller approves the invoice first', async () => {
    billing.step = { state: 'action', link: 'https://pay.example/step' };
    await offers.giveCopy('settings', tenantId, tenantId, { manualApproval: true });
    const cart = await aCart();
    const { body } = await anybody()('PUT', `${cart.path}/confirm`, { ...order, gateway: 'fake_provider' });
    expect(body).toMatchObject({ action: 'none', status: 'completed' });
    await offers.giveCopy('settings', tenantId, tenantId, { manualApproval: false }, 2);
    const next = await aCart();
    const confirmed = await anybody()('PUT', `${next.path}/confirm`, { ...order, gateway: 'fake_provider' });
    expect(confirmed.body).toMatchObject({ action: 'redirect', status: 'redirect_to_payment' });
  });

  it('stands while its payer is away, and is paid however late', async () => {
    billing.step = { state: 'action', link: 'https://pay.example/step' };
    // A frozen clock: due work then runs when the test says so.
    await offers.peek('INSERT INTO tenant_clock (tenant_id, now) VALUES ($1, $2)', [tenantId, offers.clock.now()]);
    const [ordered, left] = [await aCart(), await aCart()];
    await anybody()('PUT', `${ordered.path}/confirm`, { ...order, gateway: 'fake_provider' });
    const later = new Date(offers.clock.now().getTime() + 2 * 86_400_000);
    expect(await offers.service.kit.dueRunner.runDue(tenantId, later)).toEqual([]);
    const read = async ({ id }: { id: string }) => (await staff()('GET', `/checkout/carts/${id}`)).body;
    const waiting = await read(ordered);
    expect([waiting.status, (await read(left)).status]).toEqual(['redirect_to_payment', 'expired']);
    const [when] = await offers.peek('SELECT expired_at <= clock_timestamp() AS real FROM cart WHERE id = $1', [
      left.id,
    ]);
    expect(when).toEqual({ real: true });
    await new InvoicingLog(offers.bus).paid(tenantId, waiting.invoice.id, 1, later);
    await eventually(async () => (await read(ordered)).status === 'paid', 'the cart is paid');
    await offers.peek('DELETE FROM tenant_clock WHERE tenant_id = $1', [tenantId]);
  });

  it.each([
    ['https://evil.example/', 422],
    ['javascript:alert(1)', 422],
    ['https://shop.example.evil.example/', 422],
    ['https://shop.example/danke', 200],
    ['https://after.example/x', 200],
  ])('leads a buyer to pages of the seller alone: %s', async (redirectUrl, status) => {
    const link = { redirectOrigins: ['https://shop.example'], afterCheckout: { url: 'https://after.example/done' } };
    const cart = await aCart({}, link);
    const body = { ...order, newPaymentMethod: { gateway: 'testing', redirectUrl } };
    const answer = await anybody()('PUT', `${cart.path}/confirm`, body);
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.reason).toBe('redirect_not_allowed');
    else expect(billing.of('/internal/checkout-methods').at(-1)?.body['redirectUrl']).toBe(redirectUrl);
  });

  it('brings the answers to what the link asks for, and refuses others', async () => {
    const cart = await aCart({}, { customFields: [{ key: 'costCentre', required: true }, { key: 'team' }] });
    const confirm = (customFields?: object) => anybody()('PUT', `${cart.path}/confirm`, { ...order, customFields });
    expect((await confirm()).body.violations[0].code).toBe('required');
    expect((await confirm({ costCentre: 'K1', other: 'x' })).body.violations[0].code).toBe('unknown_key');
    expect((await confirm({ costCentre: ' K1 ' })).status).toBe(200);
    expect(billing.asked.findLast(({ path }) => path === `/internal/sales/${cart.id}`)?.body['customFields']).toEqual({
      costCentre: 'K1',
    });
    expect((await staff()('GET', `/checkout/carts/${cart.id}`)).body.customFields).toEqual({ costCentre: 'K1' });
  });

  it('is confirmed by one mail, with what was ordered', async () => {
    const cart = await aCart();
    await Promise.all([1, 2, 3].map(() => anybody()('PUT', `${cart.path}/confirm`, order)));
    const mails = await offers.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'offers.cart.order-confirmed.v1' AND aggregate_id = $1`,
      [cart.id],
    );
    expect(mails.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { customerId, email: 'neu@x.example', link: cart.url, totals: { gross: eur(1190) } },
    ]);
  });

  it('is paid by what can move its currency', async () => {
    const cart = await aCart({ customer: customerId });
    billing.asked.length = 0;
    await staff()('GET', `/public/checkout/cart/${cart.id}/payment-methods`);
    await staff()('PUT', `/public/checkout/cart/${cart.id}/confirm`, {
      ...order,
      newPaymentMethod: { gateway: 'testing' },
    });
    const asked = billing.of('/internal/checkout-methods').map(({ method, query }) => `${method} ${query}`);
    expect(asked).toEqual(['GET currency=EUR', 'GET currency=EUR', 'POST currency=EUR']);
  });

  it('takes no consent to a mandate from a program', async () => {
    const cart = await aCart();
    const newPaymentMethod = { gateway: 'sepa_debit', sepaMandate: { iban: 'x' }, mandateConsent: { text: 'forged' } };
    expect((await anybody()('PUT', `${cart.path}/confirm`, { ...order, newPaymentMethod })).status).toBe(200);
    const sent = billing.of('/internal/checkout-methods').at(-1)?.body;
    expect(sent?.['mandateConsent']).toBeUndefined();
    expect((sent?.['sepaMandate'] as { mandateReference: string }).mandateReference).toMatch(/^M-[0-9A-Z]{26}-1$/);
  });
});

describe('a link', () => {
  it.each([
    ['a path as an origin', { embedOrigins: ['https://shop.example/path'] }],
    ['a header in an origin', { embedOrigins: ["https://x.example; script-src 'unsafe-inline'"] }],
    ['a key twice', { customFields: [{ key: 'a' }, { key: 'a' }] }],
    ['no language', { languages: [] }],
    ['an unknown language', { languages: ['fr'] }],
  ])('is refused with %s', async (_name, more) => {
    const answer = await staff()('POST', '/checkout-links', { items: [{ pricePlan: newUuid() }], ...more });
    expect([400, 422]).toContain(answer.status);
  });

  it('may be shown in frames of listed origins only, in its languages', async () => {
    const link = await aLink({ embedOrigins: ['https://shop.example'], languages: ['de'] });
    const page = await fetch(offers.service.url + new URL(link.url).pathname, { headers: { 'accept-language': 'en' } });
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://shop.example');
    expect(page.headers.get('x-frame-options')).toBeNull();
    const text = await page.text();
    expect(text).toContain('<html lang="de">');
    expect(text).not.toContain('hreflang="en"');
    const plain = await fetch(offers.service.url + new URL((await aLink()).url).pathname);
    expect(plain.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

it('a cart goes 30 days after it expired, with who was to buy; one that was ordered stays', async () => {
  const { database, config } = offers.service.kit;
  const [left, kept] = [await aCart({ customerEmail: 'holunder@x.example' }), await aCart()];
  await anybody()('PUT', `${kept.path}/confirm`, order);
  const known = async (): Promise<string[]> =>
    (
      await offers.peek<{ id: string }>('SELECT id FROM cart WHERE id = ANY ($1) ORDER BY id', [[left.id, kept.id]])
    ).map(({ id }) => id);
  const forgetAt = async (days: number): Promise<void> => {
    const now = new Date(Date.now() + days * 86_400_000);
    for (const rule of offersService.retention?.(config) ?? []) await forgetOld(database, tenantId, rule, { now });
  };
  await forgetAt(31);
  expect(await known()).toContain(left.id);
  // The clock of a sandbox that stands still keeps a cart open for long.
  await offers.peek(`UPDATE cart SET status = 'expired', expired_at = now() + interval '40 days' WHERE id = $1`, [
    left.id,
  ]);
  await forgetAt(69);
  expect(await known()).toEqual([left.id, kept.id].sort());
  await forgetAt(71);
  expect(await known()).toEqual([kept.id]);
});
