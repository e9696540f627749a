import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { type Tenant, World } from './world.js';

const ORIGIN = 'http://127.0.0.1';
const IMPRINT = 'https://nordlicht.example/impressum';
/** One pixel, green. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';

/** The page on which a payer does what a collection waits for, over HTTP as a browser without scripts sees it. */
describe("a payer's page", () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await World.start();
    const checkout = { logo: LOGO, accentColor: '#0a7d5c', imprintUrl: IMPRINT };
    tenant = await world.tenant({ settings: { paymentRetryDays: [], checkout } });
  });
  afterAll(() => world.stop());

  const visit = async (path: string, form?: Record<string, string>) => {
    const answer = await fetch(world.service.url + path, {
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      text: await answer.text(),
      headers: answer.headers,
      to: location === null ? null : pathOf(location),
    };
  };
  const pathOf = (url: string): string => {
    const { pathname, search } = new URL(url, ORIGIN);
    return pathname + search;
  };

  async function waiting({ gross = 11917, isNamed = false } = {}) {
    const customerId = await tenant.customer();
    const { id } = await tenant.method(customerId, 'fake_provider');
    const [invoiceId] = await tenant.finalize({ customerId, gross, ...(isNamed && { method: id }) });
    const transaction = await eventually(async () => {
      const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}`);
      return data[0]?.status === 'action_required' && data[0];
    }, 'the collection waits for its payer');
    const [event] = await tenant.events(transaction.id);
    expect(transaction.actionUrl).toBe(event?.payload.link);
    return { invoiceId: invoiceId!, customerId, event: event!, path: pathOf(event!.payload.link) };
  }
  const stepOf = (invoiceId: string, redirectUrl: string | null = null) =>
    tenant.ok('POST', '/internal/payer-pages', { invoiceId, redirectUrl });

  it('is announced once, leads to the provider and back, and the invoice is paid', async () => {
    const { invoiceId, customerId, event, path } = await waiting();
    expect(event).toMatchObject({
      type: 'payments.payer-action.required.v1',
      payload: { customerId, amount: { amount: 11917, currencyCode: 'EUR' } },
    });
    expect(path).toMatch(/^\/public\/payments\/[\w-]{43}$/);
    // Only the digest is kept.
    const [row] = await tenant.rows<{ row: string }>('SELECT payer_page::text AS row FROM payer_page WHERE id = $1', [
      (await tenant.intent(invoiceId)).id,
    ]);
    expect(row?.row).not.toContain(path.split('/').at(-1));
    expect(await stepOf(invoiceId)).toEqual({ state: 'action', link: event.payload.link });
    const shown = await visit(path);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(shown.text).toContain('119,17\u00a0€');
    expect(shown.text).toContain(`<img class="logo" src="${LOGO}"`);
    expect(shown.text).toContain('--accent:#0a7d5c');
    const left = await visit(path, {});
    expect([left.status, left.to]).toEqual([303, `${path}/test-provider`]);
    expect((await visit(left.to!)).text).toContain('Zahlung freigeben');
    const approved = await visit(left.to!, { decision: 'approve' });
    expect([approved.status, approved.to]).toEqual([303, `${path}/return?lang=de`]);
    const back = await visit(approved.to!);
    expect([back.status, back.to]).toEqual([303, `${path}?lang=de`]);
    expect((await visit(back.to!)).text).toContain('data-state="paid"');
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await stepOf(invoiceId)).toEqual({ state: 'paid', link: null });
    // Clicking again pays nothing again.
    await visit(`${path}/test-provider`, { decision: 'approve' });
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}`);
    expect(
      data.map(({ status, actionUrl }: { status: string; actionUrl: string | null }) => [status, actionUrl]),
    ).toEqual([['succeeded', null]]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a payer who declines leaves the invoice open, and goes on to where the seller wants', async () => {
    const { invoiceId, path } = await waiting();
    await stepOf(invoiceId, 'https://shop.example/cart');
    const declined = await visit(`${path}/test-provider`, { decision: 'decline' });
    const back = await fetch(world.service.url + declined.to!, { redirect: 'manual' });
    expect([back.status, back.headers.get('location')]).toEqual([303, 'https://shop.example/cart']);
    expect(await tenant.intent(invoiceId)).toMatchObject({ failReason: 'authentication_failed' });
    expect(await stepOf(invoiceId, 'https://shop.example/cart')).toMatchObject({ state: 'failed' });
    const shown = await visit(path);
    expect(shown.text).toContain('data-state="failed"');
    expect(shown.text).toContain('href="https://shop.example/cart"');
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([{ isNamed: false }, { isNamed: true }])(
    'who was declined chooses another way to pay, by which the invoice is paid: %j',
    async ({ isNamed }) => {
      const { invoiceId, path, event } = await waiting({ isNamed });
      expect((await visit(`${path}/methods`, {})).to).toBe(`${path}?lang=de`);
      await visit(`${path}/test-provider`, { decision: 'decline' });
      expect(await stepOf(invoiceId)).toEqual({ state: 'failed', link: event.payload.link });
      expect((await visit(path)).text).toContain('Anders bezahlen');
      expect((await visit(`${path}?lang=en`)).text).toContain(`action="${path}/methods?lang=en"`);
      const chosen = await visit(`${path}/methods?lang=en`, {});
      expect([chosen.status, chosen.to]).toEqual([
        303,
        expect.stringMatching(/^\/public\/payment-methods\/[\w-]{43}\?lang=en$/),
      ]);
      const offer = (await visit(chosen.to!)).text;
      expect(offer).toContain('value="testing"');
      // What waits for money cannot be collected by.
      expect(offer).not.toContain('value="bank_transfer"');
      const added = await visit(chosen.to!, { gateway: 'testing' });
      expect([added.status, added.to]).toEqual([303, expect.stringContaining(`${path}?lang=en`)]);
      await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the invoice is paid');
      expect((await visit(added.to!)).text).toContain('data-state="paid"');
      expect((await visit(`${path}/methods`, {})).to).toBe(`${path}?lang=de`);
      expect(await tenant.broken()).toEqual([]);
    },
  );

  it('a payment that was declined without a step has a page, too', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'fake_provider');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5013 });
    const { link } = await eventually(async () => {
      const found = await stepOf(invoiceId!);
      return found.state === 'failed' && found;
    }, 'the collection is declined');
    expect((await visit(pathOf(link))).text).toContain('data-state="failed"');
  });

  it("links the seller's own pages in both languages, wherever there are some", async () => {
    const { path } = await waiting();
    const footer = (name: string, cancel: string) =>
      `<footer><a href="${IMPRINT}">${name}</a> <a href="/public/cancellation/${tenant.id}">${cancel}</a> </footer>`;
    for (const page of [path, `${path}/test-provider`]) {
      expect((await visit(`${page}?lang=de`)).text).toContain(footer('Impressum', 'Verträge hier kündigen'));
      expect((await visit(`${page}?lang=en`)).text).toContain(footer('Legal notice', 'Cancel contracts here'));
    }
    const { link } = await tenant.ok('POST', '/payment-methods/link', { customerId: await tenant.customer() });
    expect((await visit(`${pathOf(link)}?lang=en`)).text).toContain(footer('Legal notice', 'Cancel contracts here'));
    expect((await visit(`/public/payments/${'x'.repeat(43)}`)).text).not.toContain('<footer>');
  });

  it('thanks nobody for an invoice that was cancelled before anybody paid it', async () => {
    const { invoiceId, customerId, path } = await waiting();
    await tenant.creditNote(customerId, invoiceId, 11917, { type: 'TYPE_CANCEL' });
    expect((await visit(path)).text).toContain('data-state="open"');
    expect(await stepOf(invoiceId)).toEqual({ state: 'open', link: null });
  });

  it('says that the invoice is open again when the money went back, and how it is paid', async () => {
    const { customerId, path } = await waiting();
    await visit(`${path}/test-provider`, { decision: 'approve' });
    expect((await visit(path)).text).toContain('nichts mehr zu zahlen');
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'chargeback' });
    expect((await visit(path)).text).toContain('Sie können den Betrag überweisen');
  });

  it('opening pages changes nothing, and neither does a form without a decision', async () => {
    const { invoiceId, path } = await waiting();
    for (const suffix of ['', '/test-provider', '/return', '?lang=de'])
      expect([200, 303]).toContain((await visit(path + suffix)).status);
    expect((await visit(`${path}/test-provider`, { decision: 'maybe' })).to).toBe(`${path}/test-provider?lang=de`);
    expect((await visit(`${path}?lang=en`)).text).toContain('€119.17');
    expect((await stepOf(invoiceId)).state).toBe('action');
  });

  it('who has no link finds nothing', async () => {
    for (const path of [
      '/public/payments/short',
      `/public/payments/${'x'.repeat(43)}`,
      `/public/payments/${'x'.repeat(43)}/return`,
    ])
      expect((await visit(path)).status).toBe(404);
    expect((await visit(`/public/payments/${'x'.repeat(43)}`, {})).status).toBe(404);
    expect(await stepOf('0190a000-0000-7000-8000-00000000000f')).toEqual({ state: 'unknown', link: null });
  });
});
