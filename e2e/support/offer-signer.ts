import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, type Json } from './api.js';
import { priced } from './catalogue.js';
import type { CheckoutBuyer } from './checkout-buyer.js';

/** Seats whose number the buyer says, and support that may be left out; of a customer whose address nobody knows. */
export async function anOffer({ api }: CheckoutBuyer, more: Json = {}): Promise<Json> {
  const customer = await api.ok('POST', '/customers', {
    email: 'jule@backhaus.example',
    companyName: 'Backhaus Elbe GmbH',
  });
  const { pricePlan: seats } = await priced(
    api,
    { type: 'per_unit', price: { amount: 1333 } },
    { name: 'Arbeitsplatz Nordlicht Team' },
  );
  const { pricePlan: support } = await priced(api, { price: { amount: 4900 } }, { name: 'Support am Telefon' });
  const made = await api.ok('POST', '/offers', {
    customer: customer.id,
    name: 'Nordlicht für das Backhaus',
    acceptanceMode: 'esignature',
    validUntil: '2026-04-01T00:00:00.000Z',
    recipients: [{ email: 'jule@backhaus.example', firstName: 'Jule', lastName: 'Brandt' }],
    contactPerson: { firstName: 'Jo', lastName: 'Petersen', role: 'Vertrieb', email: 'jo@nordlicht.example' },
    sections: [
      { type: 'text', title: 'Worum es geht', text: 'Fünf Arbeitsplätze für Ihr Team, mit Einrichtung & Schulung.' },
      {
        type: 'items',
        title: 'Ihre Leistungen',
        items: [
          { id: 'seats', pricePlan: seats.id, quantity: '3', minQuantity: '1', maxQuantity: '20' },
          { id: 'support', pricePlan: support.id, optional: true, description: 'Werktags von 8 bis 18 Uhr.' },
        ],
      },
      { type: 'terms', title: 'Bedingungen', text: 'Monatlich kündbar.' },
      { type: 'signature', title: 'Unterschrift', text: 'Mit Ihrer Unterschrift gilt dieses Angebot.' },
    ],
    ...more,
  });
  const published = await api.ok('POST', `/offers/${made.id}/publish`);
  return { ...published, link: made.recipients[0].link };
}

/** Draws with the mouse what a finger would. */
async function draw(page: Page, label: string): Promise<void> {
  const pad = page.getByRole('img', { name: label });
  await pad.scrollIntoViewIfNeeded();
  const { x, y } = (await pad.boundingBox())!;
  await page.mouse.move(x + 30, y + 60);
  await page.mouse.down();
  for (let step = 1; step <= 24; step += 1) await page.mouse.move(x + 30 + step * 9, y + 50 + Math.sin(step) * 25);
  await page.mouse.up();
}

/** Opened on a telephone, options ticked, a quantity changed, drawn, details given: what was shown is what is billed. */
export async function signsOnTelephone(buyer: CheckoutBuyer): Promise<void> {
  const { api } = buyer;
  const offer = await anOffer(buyer);
  // Scripts are on: a signature is drawn.
  const { page, wrong } = await buyer.open(offer.link, { scripts: true });
  const total = () => page.getByRole('row', { name: /Gesamt/ }).textContent();
  expect(await total()).toContain('47,59');
  await buyer.shot(page, 'offer-options-360-de');
  await page.getByLabel('Support am Telefon').check();
  await page.getByLabel('Menge: Arbeitsplatz Nordlicht Team').fill('21');
  await page.getByRole('button', { name: 'Auswahl übernehmen' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('Diese Auswahl ist nicht möglich');
  await page.getByLabel('Support am Telefon').check();
  await page.getByLabel('Menge: Arbeitsplatz Nordlicht Team').fill('7');
  await page.getByRole('button', { name: 'Auswahl übernehmen' }).click();
  // (7 × 13.33 + 49.00) and 19 % of it.
  await page.getByRole('row', { name: /Gesamt.*169,35/ }).waitFor();
  await buyer.shot(page, 'offer-chosen-360-de');
  await page.getByLabel('Unterschrift zeichnen').check();
  await draw(page, 'Feld für die gezeichnete Unterschrift');
  await page.getByLabel('Ich unterschreibe das Angebot').check();
  await page.getByRole('button', { name: 'Zahlungspflichtig unterschreiben' }).click();
  await page.getByLabel('Straße').waitFor();
  expect((await api.ok('GET', `/offers/${offer.id}`)).status).toBe('awaiting_invoice_details');
  await buyer.shot(page, 'offer-details-360-de');
  await page.getByLabel('Straße').fill('Elbchaussee');
  await page.getByLabel('Hausnummer').fill('12');
  await page.getByLabel('Postleitzahl').fill('22765');
  await page.getByLabel('Ort', { exact: true }).fill('Hamburg');
  await page.getByLabel('Bestellnummer').fill('PO-2026-7');
  await page.getByLabel('USt-IdNr.').fill('DE12345');
  await page.getByRole('button', { name: 'Rechnungsadresse speichern' }).click();
  await page.getByText('Sie beginnt mit dem Land', { exact: false }).first().waitFor();
  await buyer.shot(page, 'offer-details-problem-360-de');
  const vatId = page.getByLabel('USt-IdNr.');
  expect(await vatId.getAttribute('aria-describedby')).toBe('vatId-problem');
  // What was right need not be typed again.
  expect(await page.getByLabel('Straße').inputValue()).toBe('Elbchaussee');
  expect(await page.getByLabel('Firma').inputValue()).toBe('Backhaus Elbe GmbH');
  await vatId.fill('DE 123 456 789');
  await page.getByRole('button', { name: 'Rechnungsadresse speichern' }).click();
  await page.getByRole('heading', { name: 'Angebot angenommen' }).waitFor();
  await buyer.shot(page, 'offer-signed-360-de');
  const sold = await eventually('the sale is done', async () => {
    const found = await api.ok('GET', `/offers/${offer.id}`);
    expect(found.sale.failure).toBeNull();
    return found.sale.state === 'done' ? found : undefined;
  });
  const subscription = await api.ok('GET', `/subscriptions/${sold.sale.subscription.id}`);
  expect(subscription).toMatchObject({ status: 'active', poNumber: 'PO-2026-7' });
  await api.ok('POST', '/billing-runs', {});
  const invoice = await eventually('its invoice', async () => {
    const { data } = await api.ok('GET', `/invoices?subscription=${subscription.id}`);
    return data[0]?.finalizationDate ? data[0] : undefined;
  });
  expect(invoice.netAmount).toEqual({ amount: 7 * 1333 + 4900, currencyCode: 'EUR' });
  expect(invoice.grossAmount).toEqual({ amount: 16_935, currencyCode: 'EUR' });
  expect(invoice.grossAmount).toEqual(sold.totals.gross);
  expect(await api.ok('GET', `/customers/${offer.customer.id}`)).toMatchObject({
    vatId: 'DE123456789',
    city: 'Hamburg',
  });
  // Browsers mention the answer to the choice that was refused.
  expect(wrong.filter((text) => !text.includes('422'))).toEqual([]);
  await page.context().close();
}
