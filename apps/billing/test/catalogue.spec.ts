import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { backhaus, Billing, type Tenant } from './support/billing.js';
import { OtherServices } from './support/other-services.js';
import { fewestStatements } from '@kontor/testing';

let billing: Billing;
let tenant: Tenant;
let others: OtherServices;
beforeAll(async () => {
  others = await new OtherServices().start();
  billing = await Billing.start({ directory: others.directory });
  tenant = await billing.tenant();
});
afterAll(async () => {
  await billing.stop();
  await others.stop();
});

const post = async (path: string, body: object, on = tenant) => {
  const answer = await on.call('POST', path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const product = (body: object = {}, on = tenant) => post('/catalogue/products', { name: 'Team', ...body }, on);
const flat = { type: 'flat_fee', currencyCode: 'EUR', billingInterval: '1M', price: { amount: 9900 } };

describe('what a tenant starts with', () => {
  it('a tax group of each type with the rates of all member states, and the measurement quantity', async () => {
    const { call } = await billing.tenant();
    const groups = (await call('GET', '/tax-groups')).body.data;
    expect(groups.map((group: { type: string }) => group.type).sort()).toEqual([
      'exempt',
      'reduced',
      'standard',
      'zero',
    ]);
    const standard = groups.find((group: { type: string }) => group.type === 'standard');
    const german = standard.taxes.filter((tax: { countryCode: string }) => tax.countryCode === 'DE');
    expect(german.map((tax: { rate: string; validFrom: string }) => [tax.rate, tax.validFrom])).toEqual([
      ['19', '2010-01-01'],
      ['16', '2020-07-01'],
      ['19', '2021-01-01'],
    ]);
    expect(new Set(standard.taxes.map((tax: { countryCode: string }) => tax.countryCode)).size).toBe(27);
    expect((await call('GET', '/catalogue/measurements')).body.data).toMatchObject([
      { code: 'quantity', aggregationType: 'last_value', type: 'recurring' },
    ]);
  });

  it('once, however many ask first', async () => {
    const { id, call } = await billing.tenant();
    await Promise.all(
      ['/tax-groups', '/catalogue/measurements', '/settings/billing', '/tax-groups'].map((path) => call('GET', path)),
    );
    expect((await call('GET', '/tax-groups')).body.meta.pagination.totalItems).toBe(4);
    expect(await billing.test.peek('SELECT type FROM outbox WHERE tenant_id = $1', [id])).toHaveLength(6);
  });
});

describe('families, units, measurements, tax groups', () => {
  it('a family names its products', async () => {
    const family = await post('/product-families', { name: 'Plattform' });
    const { id } = await product({ productFamily: family.id });
    expect((await tenant.call('GET', `/product-families/${family.id}`)).body).toEqual({
      ...family,
      products: [{ id, name: 'Team', type: 'product', status: 'active' }],
    });
    expect((await tenant.call('DELETE', `/product-families/${family.id}`)).body).toMatchObject({ reason: 'in_use' });
  });

  it.each([
    ['/product-families', { name: 'x'.repeat(256) }, 422],
    ['/product-families', {}, 400],
    ['/catalogue/units', { name: '' }, 422],
    ['/catalogue/measurements', { code: 'a', unit: newUuid() }, 422],
    ['/catalogue/measurements', { code: 'a', aggregationType: 'median' }, 422],
    ['/tax-groups', { internalDescription: 'x', type: 'super' }, 422],
    ['/billing-groups', { name: 'x', type: 'custom' }, 422],
    ['/billing-groups', { name: 'x', type: 'custom', customDay: 32 }, 422],
    ['/billing-groups', { name: 'x', type: 'end_of_month', customDay: 3 }, 422],
    ['/billing-groups', { type: 'end_of_month' }, 400],
    ['/billing-groups', { name: 'x', type: 'end_of_month', customer: newUuid() }, 422],
  ])('%s %j is refused with %d', async (path, body, status) =>
    expect((await tenant.call('POST', path, body)).status).toBe(status),
  );

  it('are changed, archived and deleted', async () => {
    const unit = await post('/catalogue/units', { name: 'Seat' });
    expect((await tenant.call('PUT', `/catalogue/units/${unit.id}`, { name: 'Nutzer' })).body).toMatchObject({
      id: unit.id,
      name: 'Nutzer',
    });
    expect((await tenant.call('PUT', `/catalogue/units/${unit.id}/archive`)).body).toMatchObject({
      status: 'archived',
    });
    expect(await tenant.call('POST', '/catalogue/products', { name: 'x', unit: unit.id })).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'unit', code: 'archived' }] },
    });
    expect((await tenant.call('GET', '/catalogue/units?status=archived')).body.data).toMatchObject([{ id: unit.id }]);
    expect((await tenant.call('DELETE', `/catalogue/units/${unit.id}`)).status).toBe(204);
    expect((await tenant.call('GET', `/catalogue/units/${unit.id}`)).status).toBe(404);
    const seqs = await billing.test.peek(
      'SELECT aggregate_seq::int AS seq FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      [unit.id],
    );
    expect(seqs).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }]);
  });

  it('a code is given once; the first tax groups stay', async () => {
    await post('/catalogue/measurements', { code: 'seats' });
    expect((await tenant.call('POST', '/catalogue/measurements', { code: 'seats' })).body).toMatchObject({
      reason: 'already_exists',
    });
    const [group] = (await tenant.call('GET', '/tax-groups?type=exempt')).body.data;
    expect((await tenant.call('DELETE', `/tax-groups/${group.id}`)).body).toMatchObject({ reason: 'in_use' });
    expect(
      (await tenant.call('PUT', `/tax-groups/${group.id}`, { internalDescription: 'x', type: 'standard' })).status,
    ).toBe(422);
    const books = await post('/tax-groups', {
      internalDescription: 'Bücher',
      type: 'reduced',
      reverseChargeType: 'REVERSE_CHARGE_INTRA_EU_SUPPLY',
    });
    expect(books).toMatchObject({
      reverseChargeType: 'REVERSE_CHARGE_INTRA_EU_SUPPLY',
      taxes: expect.arrayContaining([expect.objectContaining({ countryCode: 'DE', rate: '7' })]),
    });
    // A draft of invoicing could not be finalized without it.
    others.references = ['draft'];
    const refused = await tenant.call('DELETE', `/tax-groups/${books.id}`);
    expect([refused.status, refused.body.reason]).toEqual([422, 'in_use']);
    expect((await tenant.call('GET', `/tax-groups/${books.id}`)).status).toBe(200);
    others.reset();
    expect((await tenant.call('DELETE', `/tax-groups/${books.id}`)).status).toBe(204);
  });

  it('a price plan refuses what has no effect so far, and takes its null back', async () => {
    const product = await post('/catalogue/products', { name: 'Team' });
    const plan = {
      product: product.id,
      type: 'flat_fee',
      currencyCode: 'EUR',
      price: { amount: 100 },
      billingInterval: '1M',
    };
    for (const field of ['charge', 'productSetOption'])
      expect(await tenant.call('POST', '/price-plans', { ...plan, [field]: { id: 'x' } })).toMatchObject({
        status: 422,
        body: { reason: 'not_supported_yet', violations: [{ propertyPath: field }] },
      });
    await post('/price-plans', { ...plan, charge: null, productSetOption: null });
  });

  it('a tax group takes rates of third countries, and its own answer back', async () => {
    const swiss = { countryCode: 'CH', rate: '8.1', validFrom: '2024-01-01' };
    const older = { countryCode: 'CH', rate: '7.7', validFrom: '2018-01-01' };
    const named = { internalDescription: 'Schweiz', type: 'standard' };
    const group = await post('/tax-groups', { ...named, taxes: [swiss, older] });
    expect(group.taxes).toEqual(expect.arrayContaining([swiss, older].map((tax) => expect.objectContaining(tax))));
    const again = await tenant.call('PUT', `/tax-groups/${group.id}`, group);
    expect(again).toMatchObject({ status: 200, body: { taxes: group.taxes } });
    for (const [type, tax, path, code] of [
      ['standard', { ...swiss, countryCode: 'DE', validFrom: '2026-01-01' }, 'taxes[0].countryCode', 'fixed'],
      ['standard', { ...swiss, rate: '101' }, 'taxes[0].rate', 'invalid_decimal'],
      ['standard', { ...swiss, countryCode: 'ZZ' }, 'taxes[0].countryCode', 'invalid_country'],
      ['standard', { ...swiss, validFrom: '2024-02-30' }, 'taxes[0].validFrom', 'invalid_date'],
      ['exempt', swiss, 'taxes[0].rate', 'not_applicable'],
      ['zero', swiss, 'taxes[0].rate', 'not_applicable'],
    ] as const)
      expect(await tenant.call('POST', '/tax-groups', { ...named, type, taxes: [tax] })).toMatchObject({
        status: 422,
        body: { violations: [{ propertyPath: path, code }] },
      });
    expect(await tenant.call('POST', '/tax-groups', { ...named, taxes: [swiss, swiss] })).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'taxes[1].validFrom', code: 'duplicate' }] },
    });
    expect((await tenant.call('PUT', `/tax-groups/${group.id}`, named)).body.taxes).not.toContainEqual(
      expect.objectContaining({ countryCode: 'CH' }),
    );
  });

  it('a billing group belongs to all or to one customer', async () => {
    const customer = await post('/customers', backhaus);
    const group = await post('/billing-groups', {
      name: 'Ultimo',
      type: 'custom',
      customer: customer.id,
      customDay: 31,
      customMonth: 12,
    });
    expect(group).toMatchObject({ customer: { id: customer.id }, customDay: 31, customMonth: 12, status: 'active' });
    expect((await tenant.call('GET', `/billing-groups?customer=${customer.id}`)).body.data).toHaveLength(1);
  });
});

describe('products', () => {
  it('get the standard tax group and publish that they exist', async () => {
    const made = await product({ translations: { en: { name: 'Team' } }, isGood: true });
    expect(made).toMatchObject({
      type: 'product', taxGroup: { type: 'standard' }, invoiceVisibility: 'always', isGood: true, unit: null, measurement: null,
      translations: { en: { name: 'Team' } },
    }); // prettier-ignore
    expect(await billing.notices(made.id)).toEqual([
      {
        type: 'product.created',
        objectId: made.id,
        data: { product: made },
        customerId: null,
        activity: { metadata: { id: made.id, name: 'Team' } },
      },
    ]);
    await tenant.call('PUT', `/catalogue/products/${made.id}`, { name: 'Team 2' });
    await tenant.call('PUT', `/catalogue/products/${made.id}/archive`);
    expect(await billing.noticeTypes(made.id)).toEqual(['product.created', 'product.updated', 'product.archived']);
  });

  it.each([
    [{ name: undefined }, 400],
    [{ type: 'bundle' }, 422],
    [{ taxGroup: newUuid() }, 422],
    [{ taxGroup: 'standard' }, 422],
    [{ translations: { fr: { name: 'x' } } }, 422],
    [{ translations: 'x' }, 400],
    [{ customFields: { colour: 'red' } }, 422],
    [{ customFields: { colour: 1 } }, 400],
  ])('%j is refused with %d', async (body, status) =>
    expect((await tenant.call('POST', '/catalogue/products', { name: 'Team', ...body })).status).toBe(status),
  );
});

describe('price plans', () => {
  it('a flat fee, with everything that was left out', async () => {
    const { id: productId } = await product();
    const made = await post('/price-plans', { ...flat, product: productId });
    expect(made).toMatchObject({
      type: 'flat_fee', currencyCode: 'EUR', product: { id: productId }, price: { amount: 9900, currencyCode: 'EUR', tenantId: tenant.id }, tiers: [],
      packageSize: null, percentage: null, minimumPrice: null, internalName: null, status: 'active', applyTrial: true,
      payInAdvance: true, proRata: true, freeUnits: 0,
      billingInterval: '1M', showPricePerInterval: null, measurement: { code: 'quantity' }, usageMetric: null, custom: false, customer: null, charge: null,
      productSetOption: null, inUse: false,
    }); // prettier-ignore
    expect((await tenant.call('GET', `/price-plans/${made.id}`)).body).toEqual(made);
    expect(await billing.noticeTypes(made.id)).toEqual(['price.created']);
    expect((await tenant.call('GET', `/price-plans?product=${productId}`)).body.data).toEqual([made]);
    expect((await tenant.call('DELETE', `/catalogue/products/${productId}`)).body).toMatchObject({ reason: 'in_use' });
  });

  it('tiers, fine unit prices and packages come back as they went in', async () => {
    const { id } = await product();
    const tiered = await post('/price-plans', {
      ...flat, product: id, type: 'tiered', price: undefined,
      tiers: [{ upTo: '10', unitPrice: { amount: 12, precision: 5 } }, { upTo: null, unitPrice: { amount: 8 }, flatPrice: { amount: 500 } }],
    }); // prettier-ignore
    expect(tiered).toMatchObject({
      price: null,
      tiers: [
        {
          upTo: '10',
          unitPrice: { amount: 12, currencyCode: 'EUR', precision: 5 },
          flatPrice: { amount: 0, currencyCode: 'EUR' },
        },
        { upTo: null, unitPrice: { amount: 8, currencyCode: 'EUR' }, flatPrice: { amount: 500, currencyCode: 'EUR' } },
      ],
    });
    expect(await post('/price-plans', { ...flat, product: id, type: 'package' })).toMatchObject({ packageSize: '100' });
    expect(
      await post('/price-plans', {
        ...flat,
        product: id,
        currencyCode: 'JPY',
        price: { amount: 900, currencyCode: 'JPY' },
      }),
    ).toMatchObject({ price: { amount: 900 } });
  });

  it('of one customer only are custom', async () => {
    const customer = await post('/customers', backhaus);
    expect(
      await post('/price-plans', {
        ...flat,
        product: (await product()).id,
        customer: customer.id,
        minimumPrice: { amount: 100 },
      }),
    ).toMatchObject({
      custom: true,
      customer: { id: customer.id },
      minimumPrice: { amount: 100, currencyCode: 'EUR' },
    });
  });

  it.each([
    ['no type', { type: undefined }, 400, 'invalid_request'],
    ['no product', { product: undefined }, 400, 'invalid_request'],
    ['no interval', { billingInterval: undefined }, 400, 'invalid_request'],
    ['an unknown product', { product: newUuid() }, 422, 'unknown_reference'],
    ['an unknown type', { type: 'auction' }, 422, 'validation_failed'],
    ['a percentage without one', { type: 'percentage', price: null }, 422, 'validation_failed'],
    ['a percentage of another type', { percentage: '5' }, 422, 'validation_failed'],
    ['a usage metric of a flat fee', { usageMetric: newUuid() }, 422, 'validation_failed'],
    [
      'groups without a usage metric',
      { groupPrices: [{ group: { region: 'eu' }, price: { amount: 1 } }] },
      422,
      'validation_failed',
    ],
    ['no price', { price: undefined }, 422, 'validation_failed'],
    ['a negative price', { price: { amount: -1 } }, 422, 'validation_failed'],
    ['a price with decimals', { price: { amount: 9.5 } }, 422, 'validation_failed'],
    ['a price as text', { price: { amount: '9900' } }, 400, 'invalid_request'],
    ['a price beyond the safe integers', { price: { amount: 2 ** 53 } }, 422, 'validation_failed'],
    ['a price in another currency', { price: { amount: 1, currencyCode: 'USD' } }, 422, 'validation_failed'],
    ['an interval that is none', { billingInterval: 'monthly' }, 422, 'validation_failed'],
    [
      'tiers in the wrong order',
      {
        type: 'tiered',
        price: null,
        tiers: [
          { upTo: '10', unitPrice: { amount: 1 } },
          { upTo: '5', unitPrice: { amount: 1 } },
          { unitPrice: { amount: 1 } },
        ],
      },
      422,
      'validation_failed',
    ],
    [
      'a bound that is no number',
      { type: 'tiered', price: null, tiers: [{ upTo: 'ten', unitPrice: { amount: 1 } }] },
      422,
      'validation_failed',
    ],
    ['free units below zero', { freeUnits: -1 }, 422, 'validation_failed'],
  ])('%s is refused and changes nothing', async (_name, body, status, reason) => {
    const { id } = await product();
    const before = await billing.counts();
    expect(await tenant.call('POST', '/price-plans', { ...flat, product: id, ...body })).toMatchObject({
      status,
      body: { reason },
    });
    expect(await billing.counts()).toEqual(before);
  });

  it('may change until a subscription uses them, then only their internal name', async () => {
    const { id: productId } = await product();
    const made = await post('/price-plans', { ...flat, product: productId });
    const path = `/price-plans/${made.id}`;
    const dearer = await tenant.call('PUT', path, { ...flat, product: productId, price: { amount: 10900 } });
    expect(dearer).toMatchObject({ status: 200, body: { price: { amount: 10900 }, inUse: false } });
    await billing.use(tenant, made.id);
    expect(await tenant.call('PUT', path, { ...flat, product: productId })).toMatchObject({
      status: 422,
      body: { reason: 'price_plan_in_use' },
    });
    const renamed = await tenant.call('PUT', path, {
      ...flat,
      product: productId,
      price: { amount: 10900 },
      internalName: 'old',
    });
    expect(renamed).toMatchObject({ status: 200, body: { internalName: 'old', inUse: true } });
    expect((await tenant.call('DELETE', path)).body).toMatchObject({ reason: 'in_use' });
    expect((await tenant.call('PUT', `${path}/archive`)).body).toMatchObject({ status: 'archived' });
  });
});

describe('plans', () => {
  const aPrice = async () => post('/price-plans', { ...flat, product: (await product()).id });

  it('bundle price plans with terms', async () => {
    const [first, second] = [await aPrice(), await aPrice()];
    const made = await post('/plans', {
      code: 'team', name: 'Team', items: [{ pricePlan: first.id }, { pricePlan: second.id, quantity: '5' }],
      period: { contractPeriodCount: 3, contractPeriod: '1M' },
    }); // prettier-ignore
    expect(made).toMatchObject({
      code: 'team', status: 'draft', allowCheckout: false, changeBehaviour: 'upgradeable_and_downgradeable',
      changeApplyBehaviour: 'end_of_period', family: null,
      originProduct: null, items: [{ pricePlan: { id: first.id }, quantity: '1' }, { pricePlan: { id: second.id }, quantity: '5' }],
      period: { contractPeriodCount: 3, contractPeriod: '1M', cancellationPeriod: null },
    }); // prettier-ignore
    expect((await tenant.call('POST', '/plans', { code: 'team', name: 'x' })).body).toMatchObject({
      reason: 'already_exists',
    });
    const changed = await tenant.call('PUT', `/plans/${made.id}`, {
      code: 'team',
      name: 'Team',
      status: 'active',
      items: [{ pricePlan: second.id }],
    });
    expect(changed.body).toMatchObject({
      status: 'active',
      items: [{ pricePlan: { id: second.id }, quantity: '1' }],
      period: null,
    });
    expect((await tenant.call('DELETE', `/price-plans/${second.id}`)).body).toMatchObject({ reason: 'in_use' });
    expect((await tenant.call('DELETE', `/price-plans/${first.id}`)).status).toBe(204);
    expect((await tenant.call('DELETE', `/plans/${made.id}`)).status).toBe(204);
  });

  it.each([
    [{ code: undefined }, 400],
    [{ status: 'sold' }, 422],
    [{ items: [{ pricePlan: newUuid() }] }, 422],
    [{ items: [{ quantity: '1' }] }, 400],
    [{ items: [{ pricePlan: newUuid(), quantity: 1 }] }, 400],
    [{ period: { contractPeriod: 'forever' } }, 422],
    [{ family: newUuid() }, 422],
  ])('%j is refused with %d', async (body, status) =>
    expect((await tenant.call('POST', '/plans', { code: newUuid(), name: 'x', ...body })).status).toBe(status),
  );
});

describe('lists', () => {
  it("take the same number of queries for one object as for many, and never show another tenant's", async () => {
    const fresh = await billing.tenant();
    const { id: familyId } = await post('/product-families', { name: 'F' }, fresh);
    for (let i = 0; i < 12; i++) {
      const { id } = await product({ productFamily: familyId }, fresh);
      await post(
        '/plans',
        {
          code: `p${i}`,
          name: 'x',
          family: familyId,
          items: [{ pricePlan: (await post('/price-plans', { ...flat, product: id }, fresh)).id }],
        },
        fresh,
      );
    }
    for (const path of ['/plans', '/price-plans', '/catalogue/products', '/product-families']) {
      const ask = (limit: number) => async () => void (await fresh.call('GET', `${path}?limit=${limit}`));
      expect(await fewestStatements(ask(10))).toBeLessThanOrEqual((await fewestStatements(ask(1))) + 1);
    }
    const other = await billing.tenant();
    for (const path of [
      '/plans',
      '/price-plans',
      '/catalogue/products',
      '/product-families',
      '/billing-groups',
      '/catalogue/units',
    ]) {
      expect((await other.call('GET', path)).body.meta.pagination.totalItems).toBe(0);
    }
  });
});
