import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Api, eventually, type Json } from './support/api.js';
import { priced } from './support/catalogue.js';
import { System } from './support/system.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const withBrowser = CHROMIUM ? describe : describe.skip;
const NOW = '2026-03-02T09:00:00.000Z';
/** One pixel, green. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';
const WIRE_BYTES = 60 * 1024;

/** What a buyer does, from the address that was sent around to the paid invoice, through all services. */
withBrowser('a checkout in a browser', () => {
  let api: Api;
  let browser: Browser;
  beforeAll(async () => {
    const system = await System.shared();
    ({ api } = await system.sandbox({ now: NOW }));
    await api.ok('PUT', '/settings/billing', {
      checkout: {
        termsUrl: 'https://nordlicht.example/agb',
        privacyUrl: 'https://nordlicht.example/datenschutz',
        logo: LOGO,
        accentColor: '#0a7d5c',
      },
    });
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  const shot = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  /** A window without scripts; whatever is loaded from elsewhere, and whatever the browser complains of, is collected. */
  async function open(url: string, { width = 360, locale = 'de-DE', scripts = false } = {}) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, javaScriptEnabled: scripts, locale });
    const page = await context.newPage();
    const wrong: string[] = [];
    const { origin } = new URL(url);
    page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && wrong.push(message.text())));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) wrong.push(request.url());
    });
    await page.goto(url);
    return { page, wrong };
  }

  /** A plan, an add-on, and what is sold once: gross amounts of an Austrian company end in `cents`. */
  async function aLink(cents: number): Promise<Json> {
    const { pricePlan: base } = await priced(api, { price: { amount: 10_000 } }, { name: 'Grundgebühr' });
    const code = `team-${cents}-${Date.now()}`;
    const plan = await api.ok('POST', '/plans', {
      code,
      name: 'Team',
      status: 'active',
      items: [{ pricePlan: base.id }],
    });
    const { pricePlan: addOn } = await priced(api, { type: 'per_unit', price: { amount: 1000 } }, { name: 'Platz' });
    const { pricePlan: setup } = await priced(
      api,
      { price: { amount: 5000 + cents * 2 } },
      { type: 'charge', name: 'Einrichtung' },
    );
    await api.ok('POST', '/coupons', { code: `HALB${cents}`, type: 'percentage', percentage: '50', frequency: 'once' });
    return api.ok('POST', '/checkout-links', {
      name: 'Nordlicht Team',
      items: [{ plan: plan.id }, { pricePlan: addOn.id, quantity: '2' }, { pricePlan: setup.id }],
      options: { quantityEditable: true, minQuantity: '1', maxQuantity: '10' },
      customFields: [{ key: 'costCentre', label: 'Kostenstelle' }],
      afterCheckout: { confirmationMessage: 'Willkommen an Bord!' },
    });
  }

  async function fillIn(page: Page, { coupon, quantity }: { coupon: string; quantity: string }): Promise<void> {
    await page.getByLabel('E-Mail-Adresse').fill('kaffee@wien.example');
    await page.getByLabel('Telefon').fill('+43 1 1234');
    await page.getByLabel('Firma').fill('Wiener Kaffee GmbH');
    await page.getByLabel('Straße').fill('Ring');
    await page.getByLabel('Postleitzahl').fill('1010');
    await page.getByLabel('Ort', { exact: true }).fill('Wien');
    await page.getByLabel('Land').selectOption('AT');
    await page.getByLabel('USt-IdNr.').fill('ATU12345675');
    await page.getByLabel('Kostenstelle').fill('K-17');
    await page.getByLabel('Menge: Platz').fill(quantity);
    await page.getByLabel('Gutschein').fill(coupon);
    await page.getByLabel('Testanbieter').check();
    await page.getByRole('button', { name: 'Angaben prüfen' }).click();
    await page.getByText('Die USt-IdNr. ist gültig.').waitFor();
  }
  /** Orders; where the invoice was not made in time, the next step is found on the cart's page. */
  async function order(page: Page): Promise<void> {
    await page.getByLabel('Ich stimme').check();
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen', exact: true }).click();
    await eventually("the payer's page", async () => {
      if (new URL(page.url()).pathname.startsWith('/public/payments/')) return true;
      await page.reload();
      const next = page.getByRole('link', { name: 'Zahlung bestätigen' });
      if ((await next.count()) > 0) await next.click();
      return undefined;
    });
  }
  const cartOf = async (page: Page): Promise<Json> => {
    const token = new URL(page.url()).pathname.split('/').at(-1)!;
    const { id } = await new Api(new URL(page.url()).origin, undefined).ok('GET', `/public/checkout/cart/${token}`);
    return api.ok('GET', `/checkout/carts/${id}`);
  };

  it("sells plan, add-on and coupon to an Austrian company, with the provider's extra step there and back", async () => {
    const link = await aLink(17);
    const { page, wrong } = await open(link.url);
    await shot(page, 'link-360-de');
    await page.getByRole('button', { name: 'Zur Bestellung' }).click();
    await fillIn(page, { coupon: 'halb17', quantity: '3' });
    await shot(page, 'cart-360-de');
    // (100.00 + 3 × 10.00 + 50.34) ÷ 2, no VAT: the buyer owes it.
    expect(await page.getByRole('row', { name: /Gesamt/ }).textContent()).toContain('90,17');
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, 'cart-1440-de');
    expect(await page.getByRole('link', { name: 'Allgemeinen Geschäftsbedingungen' }).getAttribute('href')).toBe(
      'https://nordlicht.example/agb',
    );
    await order(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/public\/payments\/[\w-]{43}$/);
    await shot(page, 'payer-1440-de');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Weiter zur Bestätigung' }).click();
    await page.getByRole('heading', { name: 'Testanbieter' }).waitFor();
    await shot(page, 'test-provider-360-de');
    await page.getByRole('button', { name: 'Zahlung freigeben' }).click();
    await page.getByText('Willkommen an Bord!').waitFor();
    await shot(page, 'cart-paid-360-de');
    const paid = await eventually('the cart is paid', async () => {
      const cart = await cartOf(page);
      return cart.status === 'paid' ? cart : undefined;
    });
    const invoice = await api.ok('GET', `/invoices/${paid.invoice.id}`);
    expect(invoice).toMatchObject({
      status: 'STATUS_PAID',
      grossAmount: { amount: 9017, currencyCode: 'EUR' },
      taxAmount: { amount: 0 },
    });
    expect(paid.customFields).toEqual({ costCentre: 'K-17' });
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('a buyer who declines sees that the order stands and is not paid', async () => {
    const { page } = await open((await aLink(117)).url);
    await page.getByRole('button', { name: 'Zur Bestellung' }).click();
    await fillIn(page, { coupon: 'halb117', quantity: '1' });
    await order(page);
    await page.getByRole('button', { name: 'Weiter zur Bestätigung' }).click();
    await page.getByRole('button', { name: 'Ablehnen' }).click();
    await page.getByRole('heading', { name: 'Die Zahlung wurde abgelehnt' }).waitFor();
    await shot(page, 'cart-declined-360-de');
    expect((await cartOf(page)).status).toBe('redirect_to_payment');
    await page.context().close();
  });

  it('first views are small, stay where they are, and load nothing from elsewhere', async () => {
    const link = await aLink(0);
    // Scripts are on here for the browser's own measurements; the page has none.
    const { page, wrong } = await open(link.url, { width: 1440, locale: 'en-GB', scripts: true });
    await shot(page, 'link-1440-en');
    await page.getByRole('button', { name: 'Go to the order' }).click();
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    await shot(page, 'cart-1440-en');
    const measured = await page.evaluate(
      () =>
        new Promise<{ bytes: number; shift: number; resources: number }>((resolve) => {
          let shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
          const [view] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
          const resources = performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('data:'));
          // The observer is called with what it missed before a frame has passed.
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve({ bytes: view!.transferSize, shift, resources: resources.length })),
          );
        }),
    );
    expect(measured.bytes).toBeGreaterThan(0);
    expect(measured.bytes).toBeLessThanOrEqual(WIRE_BYTES);
    expect(measured).toMatchObject({ shift: 0, resources: 0 });
    expect(await page.locator('script').count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('a contract is cancelled by who bought it, without logging in, at the next possible time', async () => {
    const { pricePlan } = await priced(api, { price: { amount: 1000 } });
    const customer = await api.ok('POST', '/customers', { email: 'jule@backhaus.example', companyName: 'Backhaus' });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      activate: true,
    });
    const { page, wrong } = await open((await aLink(1)).url, { locale: 'en-GB' });
    await page.getByRole('link', { name: 'Cancel contracts here' }).click();
    await page.getByLabel('Your name').fill('Jule Brandt');
    await page.getByLabel('E-mail address').fill('jule@backhaus.example');
    await page.getByLabel('Contract', { exact: true }).fill(subscription.number);
    await shot(page, 'cancellation-360-en');
    await page.getByRole('button', { name: 'Continue' }).click();
    await shot(page, 'cancellation-check-360-en');
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByRole('heading', { name: 'We have received your cancellation' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, 'cancellation-received-1440-en');
    const cancelled = await eventually('the subscription is cancelled', async () => {
      const found = await api.ok('GET', `/subscriptions/${subscription.id}`);
      return found.cancelledAt ? found : undefined;
    });
    expect(cancelled.cancellationDate).toBe(subscription.nextPossibleCancellationDate[0]);
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
