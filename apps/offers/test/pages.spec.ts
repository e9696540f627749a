import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, hasChromium, launchChromium, testService, type TestService } from '@kontor/testing';
import type { Browser, Page } from 'playwright-core';
import { offersService } from '../src/index.js';
import { BillingStandIn } from './support/billing-stand-in.js';

const withBrowser = hasChromium() ? describe : describe.skip;
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const quote = (seats: number, isDiscounted: boolean) => {
  const net = seats * 1900 - (isDiscounted ? 500 : 0);
  const tax = Math.round(net * 0.19);
  return {
    currencyCode: 'EUR',
    lines: [
      {
        name: 'Team',
        description: '02.03. – 01.04.2026',
        quantity: String(seats),
        netAmount: eur(seats * 1900),
        discountAmount: null,
      },
    ],
    totals: { net: eur(net), tax: eur(tax), gross: eur(net + tax), discount: eur(isDiscounted ? 500 : 0) },
    recurring: [{ interval: '1M', net: eur(seats * 1900), gross: eur(Math.round(seats * 2261)) }],
    billingDate: '2026-03-02T09:00:00.000Z',
    vatId: null,
    vatIdStatus: 'unchecked',
  };
};

withBrowser('pages for buyers, in a browser', () => {
  let billing: BillingStandIn;
  let offers: TestService;
  let browser: Browser;
  const [tenantId, customerId, subscriptionId] = [newUuid(), newUuid(), newUuid()];
  const staff = () => offers.as(apiKeyPrincipal(tenantId));

  beforeAll(async () => {
    billing = await BillingStandIn.start();
    billing.answers = ({ path, body }) => {
      if (path.endsWith('/offer')) return { subscriptionId: null, quote: quote(5, false), prices: [] };
      if (!path.endsWith('/quotes')) return { customerId, subscriptionId, invoiceId: newUuid() };
      const items = (body['items'] as { quantity: string }[]) ?? [];
      if (path.includes('/offers/') && items.length === 0) return quote(5, false);
      return quote(Number(items[0]?.quantity ?? 1), body['coupon'] !== null);
    };
    offers = await testService(offersService, { directory: billing.directory });
    offers.service.kit.replicas.readThrough(null);
    await offers.giveCopy('tenant', tenantId, tenantId, {
      id: tenantId,
      name: 'Nordlicht Software GmbH',
      timeZone: 'Europe/Berlin',
      mode: 'sandbox',
    });
    await offers.giveCopy('customer', tenantId, customerId, {
      id: customerId,
      status: 'STATUS_ACTIVE',
      language: 'de',
      countryCode: 'DE',
      companyName: 'Backhaus Elbe GmbH',
      firstName: null,
      lastName: null,
      addresses: [],
      representation: { id: customerId },
    });
    await offers.giveCopy('subscription', tenantId, subscriptionId, { id: subscriptionId, customerId, number: 'S-1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await offers?.stop();
    await billing?.stop();
  });

  /** A window without scripts; what goes wrong on the page is collected. */
  async function open(path: string, width: number, locale = 'de-DE', javaScriptEnabled = false) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, javaScriptEnabled, locale });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && wrong.push(message.text())));
    page.on('request', (request) => void (request.url().startsWith(offers.service.url) || wrong.push(request.url())));
    const answer = await page.goto(offers.service.url + path);
    return { page, wrong, answer };
  }
  const shot = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const fits = async (page: Page): Promise<void> => {
    const width = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth]);
    expect(width[0]).toBeLessThanOrEqual(width[1]!);
  };

  async function publishedOffer(acceptanceMode: string, more: object = {}) {
    const made = await staff()('POST', '/offers', {
      customer: customerId,
      subscription: subscriptionId,
      acceptanceMode,
      name: 'Team-Paket für das Backhaus',
      locale: 'de',
      validUntil: new Date(Date.now() + 864e5).toISOString(),
      recipients: [{ email: 'jule@backhaus.example', firstName: 'Jule', lastName: 'Brandt' }],
      sections: [
        {
          type: 'text',
          title: 'Worum es geht',
          text: 'Fünf Plätze für Ihr Team.\nEinrichtung & Schulung sind <inklusive>.',
        },
        { type: 'terms', title: 'Bedingungen', text: 'Monatlich kündbar.' },
      ],
      ...more,
    });
    expect(made.status).toBe(201);
    expect((await staff()('POST', `/offers/${made.body.id}/publish`)).status).toBe(201);
    return { id: made.body.id as string, path: new URL(made.body.recipients[0].link).pathname };
  }

  it('an offer is read and signed on a telephone, then asks where the invoices go', async () => {
    const { id, path } = await publishedOffer('esignature');
    const { page, wrong, answer } = await open(path, 360);
    expect(Number((await answer!.body()).length)).toBeLessThan(60_000);
    expect(answer!.headers()['content-security-policy']).toContain("default-src 'none'");
    await shot(page, 'offer-360-de');
    await fits(page);
    expect(await page.getByText('Einrichtung & Schulung sind <inklusive>.').isVisible()).toBe(true);
    await page.getByLabel('Vor- und Nachname').fill('Jule Brandt');
    await page.getByLabel('Ich unterschreibe das Angebot').check();
    await page.getByRole('button', { name: 'Zahlungspflichtig unterschreiben' }).click();
    await page.getByLabel('Straße').waitFor();
    await shot(page, 'offer-details-360-de');
    await page.getByLabel('Straße').fill('Elbchaussee');
    await page.getByLabel('Postleitzahl').fill('22765');
    await page.getByLabel('Ort', { exact: true }).fill('Hamburg');
    await page.getByRole('button', { name: 'Rechnungsadresse speichern' }).click();
    await page.getByRole('heading', { name: 'Angebot angenommen' }).waitFor();
    await shot(page, 'offer-signed-360-de');
    expect((await staff()('GET', `/offers/${id}`)).body).toMatchObject({
      status: 'signed',
      capturedInvoiceDetails: { city: 'Hamburg' },
    });
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('a signature is drawn with the finger, and kept as it was drawn', async () => {
    const contactPerson = { firstName: 'Jo', lastName: 'Brandt', role: 'Vertrieb', email: 'jo@nordlicht.example' };
    const { id, path } = await publishedOffer('esignature', { contactPerson });
    const { page, wrong } = await open(path, 360, 'de-DE', true);
    await page.getByLabel('Unterschrift zeichnen').check();
    await page.getByLabel('Ich unterschreibe das Angebot').check();
    const button = page.getByRole('button', { name: 'Zahlungspflichtig unterschreiben' });
    await button.click();
    await page.getByText('Bitte zeichnen Sie Ihre Unterschrift in das Feld.').waitFor();
    const pad = page.getByRole('img', { name: 'Feld für die gezeichnete Unterschrift' });
    const draw = async (): Promise<void> => {
      await pad.scrollIntoViewIfNeeded();
      const box = (await pad.boundingBox())!;
      await page.mouse.move(box.x + 30, box.y + 60);
      await page.mouse.down();
      for (let step = 1; step <= 24; step += 1)
        await page.mouse.move(box.x + 30 + step * 9, box.y + 50 + Math.sin(step) * 25);
      await page.mouse.up();
    };
    await draw();
    await page.getByRole('button', { name: 'Neu beginnen' }).click();
    await button.click();
    await page.getByText('Bitte zeichnen Sie Ihre Unterschrift in das Feld.').waitFor();
    await draw();
    await shot(page, 'offer-drawing-360-de');
    await fits(page);
    await button.click();
    await page.getByLabel('Straße').waitFor();
    const [row] = await offers.peek<{ type: string; data: string }>(
      "SELECT signature->>'type' AS type, signature->>'data' AS data FROM offer_recipient WHERE offer_id = $1",
      [id],
    );
    expect(row?.type).toBe('drawn');
    const png = Buffer.from(row!.data.split(',')[1]!, 'base64');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([900, 300]);
    // More than an empty picture of that size.
    expect(png.length).toBeGreaterThan(2000);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('a drawing that is none is refused, and a script is given by its name only', async () => {
    const { path } = await publishedOffer('esignature');
    const { page } = await open(path, 360, 'de-DE', true);
    const script = await page.locator('script').getAttribute('src');
    const found = await fetch(offers.service.url + script!);
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await fetch(`${offers.service.url}/public/scripts/signature.js`)).status).toBe(404);
    for (const drawing of [
      '',
      'data:image/png;base64,AAAA',
      `data:image/png;base64,iVBORw0KGgo${'A'.repeat(250_000)}`,
      // Its second header says 20,000 by 20,000.
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAAAAAAAAAADUlIRFIAAE4gAABOIAgGAAAAAAAAAAAAAABJRU5ErkJggg==',
    ]) {
      const body = new URLSearchParams({ action: 'sign', name: 'Jule', consent: 'yes', signature: 'drawn', drawing });
      const refused = await fetch(offers.service.url + path, { method: 'POST', body });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('Bitte zeichnen Sie Ihre Unterschrift');
    }
    await page.context().close();
  });

  it('an offer is accepted by keyboard alone, in English, on a desk', async () => {
    const { id, path } = await publishedOffer('click');
    const { page, wrong } = await open(path, 1440);
    await page.getByRole('link', { name: 'English' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/lang=en/);
    await shot(page, 'offer-1440-en');
    await fits(page);
    const consent = page.getByLabel('I have read offer');
    while (!(await consent.evaluate((box) => box === document.activeElement))) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Offer accepted' }).waitFor();
    expect((await staff()('GET', `/offers/${id}`)).body.status).toBe('signed');
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('what is no offer is said in a page, too', async () => {
    const { page, answer } = await open(`/public/offers/${'x'.repeat(43)}`, 360);
    expect(answer!.status()).toBe(404);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Hier ist kein Angebot');
    await page.context().close();
  });

  it('a checkout sells, with quantity and coupon, what it showed', async () => {
    const made = await staff()('POST', '/checkout-links', {
      slug: 'team',
      name: 'Nordlicht Team',
      items: [{ pricePlan: newUuid(), quantity: '2' }],
      options: { quantityEditable: true, minQuantity: '1', maxQuantity: '10' },
      afterCheckout: { confirmationMessage: 'Willkommen an Bord!' },
      maxSales: 1,
    });
    expect(made.status).toBe(201);
    const { page, wrong } = await open(new URL(made.body.url).pathname, 360);
    await shot(page, 'link-360-de');
    await page.getByRole('button', { name: 'Zur Bestellung' }).click();
    await shot(page, 'cart-360-de');
    await fits(page);
    await page.getByLabel('Menge: Team').fill('11');
    await page.getByRole('button', { name: 'Angaben prüfen' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Bitte prüfen Sie Mengen und Angaben.');
    await page.getByLabel('Menge: Team').fill('3');
    await page.getByLabel('Gutschein').fill('spring');
    await page.getByLabel('E-Mail-Adresse').fill('kaffee@wien.example');
    await page.getByLabel('Telefon').fill('+43 1 1234');
    await page.getByLabel('Firma').fill('Wiener Kaffee GmbH');
    await page.getByLabel('Straße').fill('Ring');
    await page.getByLabel('Postleitzahl').fill('1010');
    await page.getByLabel('Ort', { exact: true }).fill('Wien');
    await page.getByLabel('Land').selectOption('AT');
    await page.getByLabel('Überweisung nach Rechnung').check();
    await page.getByLabel('Ich stimme').check();
    // The price was not seen with these details: nothing is ordered yet.
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Ihr Warenkorb oder sein Preis hat sich geändert');
    expect(await page.getByRole('row', { name: /Gesamt/ }).textContent()).toContain('61,88');
    await page.setViewportSize({ width: 1440, height: 900 });
    await shot(page, 'cart-1440-de');
    await fits(page);
    await page.getByLabel('Ich stimme').check();
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen' }).click();
    await page.getByText('Willkommen an Bord!').waitFor();
    await shot(page, 'cart-done-1440-de');
    const token = new URL(page.url()).pathname.split('/').at(-1)!;
    const { id: cartId } = (await offers.as(null)('GET', `/public/checkout/cart/${token}`)).body;
    expect((await staff()('GET', `/checkout/carts/${cartId}`)).body).toMatchObject({
      status: 'completed',
      customerEmail: 'kaffee@wien.example',
      invoiceAddress: { countryCode: 'AT', city: 'Wien' },
    });
    // Refused forms are answered with 422, which a browser mentions.
    expect(wrong.filter((text) => !text.includes('422'))).toEqual([]);
    const soldOut = await open(new URL(made.body.url).pathname, 360, 'en-GB');
    expect(soldOut.answer!.status()).toBe(404);
    await shot(soldOut.page, 'link-gone-360-en');
    await soldOut.page.context().close();
    await page.context().close();
  });

  it('a cart in English, on a desk and on paper', async () => {
    const cart = await staff()('POST', '/checkout/carts', { items: [{ pricePlan: newUuid() }] });
    expect(cart.status).toBe(201);
    const { page, wrong } = await open(new URL(cart.body.url).pathname, 1440, 'en-GB');
    expect(await page.getByRole('button', { name: 'Order with obligation to pay' }).isVisible()).toBe(true);
    await shot(page, 'cart-1440-en');
    await fits(page);
    await page.emulateMedia({ media: 'print' });
    await shot(page, 'cart-print-en');
    expect(await page.getByRole('row', { name: /^Total/ }).isVisible()).toBe(true);
    expect(await page.getByLabel('E-mail address').isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
