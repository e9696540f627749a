import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import {
  anybody,
  billing,
  billingIsWell,
  eur,
  offers,
  published,
  QUOTE,
  signature,
  startSelling,
  stopSelling,
  tenant,
} from './support/selling.js';

beforeAll(startSelling);
afterAll(stopSelling);
beforeEach(billingIsWell);

/** Of two clicks a browser shows what the second one is answered: 303 leads back to the page. */
describe("a second click on the button of an offer's page", () => {
  const submit = (token: string, form: Record<string, string>): Promise<Response> =>
    fetch(`${offers.service.url}/public/offers/${token}?lang=en`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  const click = async (token: string, form: Record<string, string>): Promise<number> =>
    (await submit(token, form)).status;
  const hashOf = async (token: string): Promise<string> =>
    (await anybody()('GET', `/public/offers/${token}`)).body.versionHash;
  const details = { action: 'details', street: 'Ring', zip: '8002', city: 'Eck', countryCode: 'CH' };

  it('that signs finds the signature', async () => {
    const { tokens } = await published(await tenant(), { acceptanceMode: 'esignature' });
    const form = { action: 'sign', name: 'Jule Brandt', consent: 'yes', versionHash: await hashOf(tokens[0]!) };
    expect(await Promise.all([1, 2, 3].map(() => click(tokens[0]!, form)))).toEqual([303, 303, 303]);
    expect(await click(tokens[0]!, { ...form, versionHash: 'another' })).toBe(422);
    expect(await hashOf(tokens[0]!)).toBe(form.versionHash);
  });

  it('leads, as the first one, to where a long page says what became of it', async () => {
    const [token] = (await published(await tenant())).tokens;
    const form = { action: 'accept', consent: 'yes', versionHash: await hashOf(token!) };
    for (const answer of [await submit(token!, form), await submit(token!, form)])
      expect(answer.headers.get('location')).toBe(`/public/offers/${token}?lang=en#next`);
    const headers = { accept: 'text/html' };
    const page = await (await fetch(`${offers.service.url}/public/offers/${token}?lang=en`, { headers })).text();
    expect(page.slice(page.indexOf('id="next"'))).toContain('Offer accepted');
  });

  it('that says where the invoices go finds them said', async () => {
    const { tokens } = await published(await tenant({ withAddress: false }), { acceptanceMode: 'esignature' });
    await anybody()('POST', `/public/offers/${tokens[0]}/sign`, signature());
    const form = { ...details, versionHash: await hashOf(tokens[0]!) };
    expect(await Promise.all([1, 2].map(() => click(tokens[0]!, form)))).toEqual([303, 303]);
    expect(await click(tokens[0]!, { ...form, city: 'Bern' })).toBe(422);
  });

  it('that says so accepts no tax that only the first one was shown', async () => {
    const { tokens } = await published(await tenant({ withAddress: false }), { acceptanceMode: 'esignature' });
    await anybody()('POST', `/public/offers/${tokens[0]}/sign`, signature());
    const answers = billing.answers;
    billing.answers = (asked) =>
      asked.path.endsWith('/quotes')
        ? { ...QUOTE, totals: { ...QUOTE.totals, tax: eur(0), gross: eur(3000) } }
        : answers(asked);
    const form = { ...details, versionHash: await hashOf(tokens[0]!) };
    expect([await click(tokens[0]!, form), await click(tokens[0]!, form)]).toEqual([422, 422]);
    expect((await anybody()('GET', `/public/offers/${tokens[0]}`)).body.status).toBe('awaiting_invoice_details');
    expect(await click(tokens[0]!, { ...form, versionHash: await hashOf(tokens[0]!) })).toBe(303);
    expect((await anybody()('GET', `/public/offers/${tokens[0]}`)).body.status).toBe('signed');
  });

  it('that chooses finds it chosen', async () => {
    const items = [{ id: 'seats', pricePlan: newUuid(), quantity: '3', minQuantity: '2', maxQuantity: '10' }];
    const offer = { subscription: null, sections: [{ type: 'items', title: 'Leistung', items }] };
    billing.answers = ({ path }) =>
      path.endsWith('/offer') ? { subscriptionId: newUuid(), quote: QUOTE, prices: [] } : QUOTE;
    const { tokens } = await published(await tenant(), offer);
    const form = { action: 'choose', 'quantity.seats': '5', versionHash: await hashOf(tokens[0]!) };
    expect([await click(tokens[0]!, form), await click(tokens[0]!, form)]).toEqual([303, 303]);
    expect(await click(tokens[0]!, { ...form, 'quantity.seats': '6' })).toBe(422);
  });

  it('that accepts while the options on the page are others agrees to nothing: they count, and their price is read first', async () => {
    const items = [
      { id: 'seats', pricePlan: newUuid(), quantity: '3', minQuantity: '2', maxQuantity: '10' },
      { id: 'support', pricePlan: newUuid(), optional: true },
    ];
    const offer = { subscription: null, sections: [{ type: 'items', title: 'Leistung', items }] };
    billing.answers = ({ path }) =>
      path.endsWith('/offer') ? { subscriptionId: newUuid(), quote: QUOTE, prices: [] } : QUOTE;
    const { tokens } = await published(await tenant(), offer);
    const token = tokens[0]!;
    const shown = {
      action: 'accept',
      consent: 'yes',
      optionsShown: 'yes',
      'quantity.seats': '5',
      'selected.support': 'yes',
    };
    const before = { ...shown, versionHash: await hashOf(token) };
    expect(await click(token, { ...before, 'quantity.seats': '11' })).toBe(422);
    expect(await hashOf(token)).toBe(before.versionHash);
    // Nor does a second click, which has not read the new price either.
    expect([await click(token, before), await click(token, before)]).toEqual([422, 422]);
    const { body } = await anybody()('GET', `/public/offers/${token}`);
    expect(body).toMatchObject({ status: 'open', items: [{ quantity: '5' }, { selected: true }] });
    expect(await click(token, { ...shown, versionHash: body.versionHash })).toBe(303);
    expect((await anybody()('GET', `/public/offers/${token}`)).body.status).not.toBe('open');
  });

  it('who accepts without changing options has accepted, however the quantity is written', async () => {
    const items = [{ id: 'seats', pricePlan: newUuid(), quantity: '3.50', minQuantity: '2', maxQuantity: '10' }];
    const offer = { subscription: null, sections: [{ type: 'items', title: 'Leistung', items }] };
    billing.answers = ({ path }) =>
      path.endsWith('/offer') ? { subscriptionId: newUuid(), quote: QUOTE, prices: [] } : QUOTE;
    const token = (await published(await tenant(), offer)).tokens[0]!;
    const form = { action: 'accept', consent: 'yes', optionsShown: 'yes', 'quantity.seats': '3.5' };
    expect(await click(token, { ...form, versionHash: await hashOf(token) })).toBe(303);
  });
});
