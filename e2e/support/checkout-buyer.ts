import { expect } from '@jest/globals';
import { launchChromium } from '@kontor/testing';
import type { Browser, Page } from 'playwright-core';
import { Api, eventually, type Json } from './api.js';
import { priced } from './catalogue.js';
import { reload, shot } from './chromium.js';

/** One pixel, green. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';

interface Opened {
  readonly page: Page;
  /** Whatever was loaded from elsewhere, and whatever the browser complained of. */
  readonly wrong: readonly string[];
}

/** Somebody who buys in a browser, of a seller with terms, a logo and a colour. */
export class CheckoutBuyer {
  private constructor(
    readonly api: Api,
    private readonly browser: Browser,
  ) {}

  static async at(api: Api): Promise<CheckoutBuyer> {
    await api.ok('PUT', '/settings/billing', {
      checkout: {
        termsUrl: 'https://nordlicht.example/agb',
        privacyUrl: 'https://nordlicht.example/datenschutz',
        logo: LOGO,
        accentColor: '#0a7d5c',
      },
    });
    return new CheckoutBuyer(api, await launchChromium());
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  readonly shot = shot;

  /** A window, without scripts unless they are asked for. */
  async open(url: string, { width = 360, locale = 'de-DE', scripts = false } = {}): Promise<Opened> {
    const viewport = { width, height: 800 };
    const context = await this.browser.newContext({ viewport, javaScriptEnabled: scripts, locale });
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
  async aLink(cents: number): Promise<Json> {
    const { pricePlan: base } = await priced(this.api, { price: { amount: 10_000 } }, { name: 'Grundgebühr' });
    const code = `team-${cents}-${Date.now()}`;
    const plan = await this.api.ok('POST', '/plans', {
      code,
      name: 'Team',
      status: 'active',
      items: [{ pricePlan: base.id }],
    });
    const { pricePlan: addOn } = await priced(
      this.api,
      { type: 'per_unit', price: { amount: 1000 } },
      { name: 'Platz' },
    );
    const { pricePlan: setup } = await priced(
      this.api,
      { price: { amount: 5000 + cents * 2 } },
      { type: 'charge', name: 'Einrichtung' },
    );
    await this.api.ok('POST', '/coupons', {
      code: `HALB${cents}`,
      type: 'percentage',
      percentage: '50',
      frequency: 'once',
    });
    return this.api.ok('POST', '/checkout-links', {
      name: 'Nordlicht Team',
      items: [{ plan: plan.id }, { pricePlan: addOn.id, quantity: '2' }, { pricePlan: setup.id }],
      options: { quantityEditable: true, minQuantity: '1', maxQuantity: '10' },
      customFields: [{ key: 'costCentre', label: 'Kostenstelle' }],
      afterCheckout: { confirmationMessage: 'Willkommen an Bord!' },
    });
  }

  /** A company in Vienna, of which the page computes the price. */
  async fillIn(page: Page, { coupon, quantity }: { coupon: string; quantity: string }): Promise<void> {
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
  async order(page: Page): Promise<void> {
    await page.getByLabel('Ich stimme').check();
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen', exact: true }).click();
    await eventually("the payer's page", async () => {
      if (new URL(page.url()).pathname.startsWith('/public/payments/')) return true;
      await reload(page);
      const next = page.getByRole('link', { name: 'Zahlung bestätigen' });
      if ((await next.count()) > 0) await next.click();
      return undefined;
    });
  }

  /** The cart of a page, as its seller sees it. */
  async cartOf(page: Page): Promise<Json> {
    const token = new URL(page.url()).pathname.split('/').at(-1)!;
    const { id } = await new Api(new URL(page.url()).origin, undefined).ok('GET', `/public/checkout/cart/${token}`);
    return this.api.ok('GET', `/checkout/carts/${id}`);
  }
}

/** A plan, an add-on and a coupon, sold to an Austrian company by the page, with the provider's extra step there and back. */
export async function buysWithExtraStep(buyer: CheckoutBuyer): Promise<void> {
  const cents = 17;
  const link = await buyer.aLink(cents);
  const { page, wrong } = await buyer.open(link.url);
  await buyer.shot(page, 'link-360-de');
  await page.getByRole('button', { name: 'Zur Bestellung' }).click();
  await buyer.fillIn(page, { coupon: `halb${cents}`, quantity: '3' });
  await buyer.shot(page, 'cart-360-de');
  // (100.00 + 3 × 10.00 + 50.34) ÷ 2, no VAT: the buyer owes it.
  expect(await page.getByRole('row', { name: /Gesamt/ }).textContent()).toContain('90,17');
  await page.setViewportSize({ width: 1440, height: 900 });
  await buyer.shot(page, 'cart-1440-de');
  expect(await page.getByRole('link', { name: 'Allgemeinen Geschäftsbedingungen' }).getAttribute('href')).toBe(
    'https://nordlicht.example/agb',
  );
  await buyer.order(page);
  expect(new URL(page.url()).pathname).toMatch(/^\/public\/payments\/[\w-]{43}$/);
  await buyer.shot(page, 'payer-1440-de');
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'Weiter zur Bestätigung' }).click();
  await page.getByRole('heading', { name: 'Testanbieter' }).waitFor();
  await buyer.shot(page, 'test-provider-360-de');
  await page.getByRole('button', { name: 'Zahlung freigeben' }).click();
  await page.getByText('Willkommen an Bord!').waitFor();
  await buyer.shot(page, 'cart-paid-360-de');
  const paid = await eventually('the cart is paid', async () => {
    const cart = await buyer.cartOf(page);
    return cart.status === 'paid' ? cart : undefined;
  });
  const invoice = await buyer.api.ok('GET', `/invoices/${paid.invoice.id}`);
  expect(invoice).toMatchObject({
    status: 'STATUS_PAID',
    grossAmount: { amount: 9017, currencyCode: 'EUR' },
    taxAmount: { amount: 0 },
  });
  expect(paid.customFields).toEqual({ costCentre: 'K-17' });
  expect(wrong).toEqual([]);
  await page.context().close();
}
