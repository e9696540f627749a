import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { offersService } from '../src/index.js';
import { BillingStandIn } from './support/billing-stand-in.js';

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

describe('checkout links', () => {
  let billing: BillingStandIn;
  let offers: TestService;
  const tenantId = newUuid();
  const staff = () => offers.as(apiKeyPrincipal(tenantId));
  const link = (items: object[], more: object = {}) => staff()('POST', '/checkout-links', { items, ...more });

  beforeAll(async () => {
    billing = await BillingStandIn.start();
    billing.answers = ({ path }) => (path.endsWith('/quotes') ? QUOTE : {});
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

  const page = async (url: string, method = 'GET') => {
    const answer = await fetch(offers.service.url + new URL(url).pathname, {
      method,
      redirect: 'manual',
      headers: {
        'accept-language': 'de',
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    return { status: answer.status, html: await answer.text() };
  };

  it.each([
    ['price that there is not', 'pricePlan', 'missing', 'unknown_reference', 'unknown_reference'],
    ['plan that there is not', 'plan', 'missing', 'unknown_reference', 'unknown_reference'],
    ['price that was archived', 'pricePlan', 'archived', 'validation_failed', 'not_active'],
    ['plan that was archived', 'plan', 'archived', 'validation_failed', 'not_active'],
  ] as const)('are refused with a %s, which is named', async (_name, field, why, reason, code) => {
    const id = newUuid();
    billing[why].add(id);
    const refused = await link([{ pricePlan: newUuid() }, { [field]: id }], {
      slug: `refused-${field}-${why}`.toLowerCase(),
    });
    expect([refused.status, refused.body.reason]).toEqual([422, reason]);
    expect(refused.body.violations).toEqual([{ propertyPath: `items[1].${field}`, code, message: expect.any(String) }]);
    expect((await staff()('GET', `/checkout-links?slug=refused-${field}-${why}`.toLowerCase())).body.data).toEqual([]);
  });

  it('are refused with several currencies, and while nobody knows the prices', async () => {
    const dollars = newUuid();
    billing.inDollars.add(dollars);
    const mixed = await link([{ pricePlan: newUuid() }, { pricePlan: dollars }]);
    expect([mixed.status, mixed.body.reason]).toEqual([422, 'currency_mix']);
    billing.isAway = true;
    const away = await link([{ pricePlan: newUuid() }]);
    billing.isAway = false;
    expect([away.status, away.body.reason]).toEqual([503, 'service_unavailable']);
  });

  it('say it, to the seller and to who opens them, when what they sell was archived since', async () => {
    const [price, slug] = [newUuid(), 'archived-later'];
    const made = await link([{ pricePlan: price }], { slug });
    expect([made.status, made.body.state]).toEqual([201, 'on_sale']);
    expect((await page(made.body.url)).status).toBe(200);
    billing.archived.add(price);
    const path = `/checkout-links/${made.body.id}`;
    expect((await staff()('GET', path)).body.state).toBe('no_longer_sold');
    const listed = await staff()('GET', `/checkout-links?slug=${slug}`);
    expect(listed.body.data.map(({ state }: { state: string }) => state)).toEqual(['no_longer_sold']);
    const shown = await page(made.body.url);
    expect(shown.status).toBe(410);
    expect(shown.html).toContain('Das wird nicht mehr verkauft');
    // Who has the page open already.
    billing.refusal = { status: 422, reason: 'unknown_reference', propertyPath: 'items[0].pricePlan' };
    const begun = await page(made.body.url, 'POST');
    billing.refusal = null;
    expect([begun.status, begun.html.includes('Das wird nicht mehr verkauft')]).toEqual([410, true]);
    // What it sells already may stay, so that it can be disabled or renamed.
    const kept = await staff()('PUT', path, { items: [{ pricePlan: price }], slug, isEnabled: false });
    expect([kept.status, kept.body.state]).toEqual([200, 'link_disabled']);
    const other = newUuid();
    billing.archived.add(other);
    const changed = await staff()('PUT', path, { items: [{ pricePlan: other }], slug });
    expect([changed.status, changed.body.violations[0].propertyPath]).toEqual([422, 'items[0].pricePlan']);
    billing.archived.delete(price);
    expect((await staff()('GET', path)).body.state).toBe('link_disabled');
  });

  it('are shown while billing is away, without saying whether they sell', async () => {
    const made = await link([{ pricePlan: newUuid() }], { slug: 'away' });
    const sold = await link([{ pricePlan: newUuid() }], {
      slug: 'later',
      enabledFrom: new Date(Date.now() + 864e5).toISOString(),
    });
    expect([made.status, sold.status, sold.body.state]).toEqual([201, 201, 'link_not_open']);
    billing.isAway = true;
    const states = await Promise.all(
      [made, sold].map(async ({ body }) => (await staff()('GET', `/checkout-links/${body.id}`)).body.state),
    );
    // Nothing keeps a seller from closing a link.
    const items = made.body.items.map(({ pricePlan }: { pricePlan: string }) => ({ pricePlan }));
    const closed = await staff()('PUT', `/checkout-links/${made.body.id}`, { items, isEnabled: false });
    billing.isAway = false;
    expect(states).toEqual(['unknown', 'link_not_open']);
    expect([closed.status, closed.body.state]).toEqual([200, 'link_disabled']);
  });
});
