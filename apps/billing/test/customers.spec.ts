import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import { backhaus, Billing, type Tenant } from './support/billing.js';

let billing: Billing;
let tenant: Tenant;

beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
});
afterAll(() => billing.stop());

const create = async (body: object = {}, on = tenant) => {
  const answer = await on.call('POST', '/customers', { ...backhaus, ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};

describe('creating a customer', () => {
  it('fills in what was left out and makes the address its default', async () => {
    const customer = await create();
    expect(customer).toMatchObject({
      customerNumber: expect.stringMatching(/^K-\d+$/),
      status: 'STATUS_ACTIVE',
      language: 'de',
      countryCode: 'DE',
      currencyCode: 'EUR',
      timeZone: 'Europe/Berlin',
      vatIdStatus: 'unchecked',
      street: 'Elbchaussee',
      parentCustomerId: null,
      addresses: [
        {
          type: 'TYPE_DEFAULT',
          default: true,
          status: 'active',
          companyName: 'Backhaus Elbe GmbH',
          city: 'Hamburg',
          countryCode: 'DE',
        },
      ],
    });
    expect((await tenant.call('GET', `/customers/${customer.id}`)).body).toEqual(customer);
    const [notice] = await billing.notices(customer.id);
    expect(notice).toEqual({
      type: 'customer.created',
      objectId: customer.id,
      data: { customer },
      customerId: customer.id,
      activity: { metadata: {} },
    });
  });

  it.each([['AT', 'de'], ['CH', 'de'], ['FR', 'en']])('in %s speaks %s', async (countryCode, language) => {
    expect(await create({ countryCode })).toMatchObject({ language });
  }); // prettier-ignore

  it('an explicit language wins', async () =>
    expect(await create({ countryCode: 'DE', language: 'en' })).toMatchObject({ language: 'en' }));

  it('numbers run on and step over those that people chose', async () => {
    const fresh = await billing.tenant();
    expect((await create({ customerNumber: 'K-10002' }, fresh)).customerNumber).toBe('K-10002');
    expect((await create({}, fresh)).customerNumber).toBe('K-10001');
    expect((await create({}, fresh)).customerNumber).toBe('K-10003');
  });

  it('twenty at once get twenty numbers', async () => {
    const fresh = await billing.tenant();
    const made = await Promise.all(Array.from({ length: 20 }, () => create({}, fresh)));
    expect(new Set(made.map((customer) => customer.customerNumber)).size).toBe(20);
  });

  it('of those that come together each is refused by itself, and leaves no hole', async () => {
    const fresh = await billing.tenant();
    await create({ customerNumber: 'K-10003', externalId: 'known' }, fresh);
    const bodies = [
      {},
      { externalId: 'twin' },
      { currencyCode: 'XXQ' },
      { externalId: 'twin' },
      { customerNumber: 'K-10003' },
      { externalId: 'known' },
      { customFields: { unheard: 'of' } },
      {},
    ];
    const answers = await Promise.all(bodies.map((body) => fresh.call('POST', '/customers', { ...backhaus, ...body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
    expect(answers[4]?.body).toMatchObject({
      reason: 'already_exists',
      violations: [{ propertyPath: 'customerNumber' }],
    });
    expect(answers[5]?.body).toMatchObject({ reason: 'already_exists', violations: [{ propertyPath: 'externalId' }] });
    const numbers = answers.flatMap(({ body }) => body.customerNumber ?? []).sort();
    expect(numbers).toEqual(['K-10001', 'K-10002', 'K-10004']);
  });

  it.each([
    ['no email', { email: undefined }, 400, 'invalid_request', 'email'],
    ['a number for a name', { companyName: 5 }, 400, 'invalid_request', 'companyName'],
    ['an unknown field', { colour: 'red' }, 400, 'unknown_field', 'colour'],
    ['an address that is none', { email: 'nobody' }, 422, 'validation_failed', 'email'],
    ['an unknown language', { language: 'fr' }, 422, 'validation_failed', 'language'],
    ['an unknown country', { countryCode: 'ZZ' }, 422, 'validation_failed', 'countryCode'],
    ['an unknown currency', { currencyCode: 'XXZ' }, 422, 'validation_failed', 'currencyCode'],
    ['a name of one letter', { companyName: 'X' }, 422, 'validation_failed', 'companyName'],
    ['a name of 256 letters', { companyName: 'X'.repeat(256) }, 422, 'validation_failed', 'companyName'],
    ['nobody’s name', { companyName: null }, 400, 'invalid_request', 'companyName'],
    ['half a name', { companyName: null, firstName: 'Ada' }, 400, 'invalid_request', 'companyName'],
    [
      'custom fields that nobody configured',
      { customFields: { colour: 'red' } },
      422,
      'validation_failed',
      'customFields.colour',
    ],
  ])('%s is refused and changes nothing', async (_name, body, status, reason, propertyPath) => {
    const before = await billing.counts();
    const answer = await tenant.call('POST', '/customers', { ...backhaus, ...body });
    expect(answer).toMatchObject({ status, body: { status, reason } });
    expect(answer.body.violations.map((violation: { propertyPath: string }) => violation.propertyPath)).toContain(
      propertyPath,
    );
    expect(await billing.counts()).toEqual(before);
  });

  it.each(['customerNumber', 'externalId'])(
    'a second %s of the tenant is refused, another tenant may have it',
    async (field) => {
      await create({ [field]: 'TWICE' });
      expect(await tenant.call('POST', '/customers', { ...backhaus, [field]: 'TWICE' })).toMatchObject({
        status: 422,
        body: { reason: 'already_exists', violations: [{ propertyPath: field }] },
      });
      await create({ [field]: 'TWICE' }, await billing.tenant());
    },
  );
});

describe('reading', () => {
  it('by externalId', async () => {
    const customer = await create({ externalId: 'crm-5000' });
    expect((await tenant.call('GET', '/customers/crm-5000')).body.id).toBe(customer.id);
  });

  it("neither an unknown id nor another tenant's is found", async () => {
    const customer = await create();
    const other = await billing.tenant();
    for (const id of [newUuid(), 'nonsense', customer.id])
      expect(await other.call('GET', `/customers/${id}`)).toMatchObject({ status: 404, body: { reason: 'not_found' } });
  });

  it('needs the permission', async () => {
    const reader = billing.test.as(apiKeyPrincipal(tenant.id, { permissions: ['customer:read'] }));
    expect((await reader('GET', '/customers')).status).toBe(200);
    expect(await reader('POST', '/customers', backhaus)).toMatchObject({
      status: 403,
      body: { reason: 'permission_denied' },
    });
    expect((await billing.test.as(null)('GET', '/customers')).status).toBe(401);
  });

  it('lists by page, filter, order and search', async () => {
    const fresh = await billing.tenant();
    for (const name of ['Anker', 'Boje', 'Catamaran'])
      await create({ companyName: `${name} GmbH`, email: `${name}@example.com` }, fresh);
    const parent = await create({ companyName: 'Reederei', firstName: 'Ada', lastName: 'Hansen' }, fresh);
    const [anker] = (await fresh.call('GET', '/customers?companyName=Anker%20GmbH')).body.data;
    await fresh.call('PUT', `/customers/${anker.id}/set-parent`, { parentCustomerId: parent.id });
    const names = async (query: string) =>
      (await fresh.call('GET', `/customers?${query}`)).body.data.map(
        (customer: { companyName: string }) => customer.companyName,
      );
    expect(await names('order[companyName]=asc&limit=2&page=2')).toEqual(['Catamaran GmbH', 'Reederei']);
    expect(await names('email=Boje@example.com')).toEqual(['Boje GmbH']);
    expect(await names('search=catam')).toEqual(['Catamaran GmbH']);
    expect(await names('search=%25')).toEqual([]);
    expect(await names('isParent=true')).toEqual(['Reederei']);
    expect(await names('hasParent=true')).toEqual(['Anker GmbH']);
    expect(await names(`parentCustomerId=${parent.id}`)).toEqual(['Anker GmbH']);
    expect(await names('status=STATUS_ARCHIVED')).toEqual([]);
    expect((await fresh.call('GET', '/customers?limit=0')).body).toEqual({
      data: [],
      meta: { pagination: { totalItems: 4, itemsPerPage: 0, currentPage: 1, lastPage: 1, pageTotalItems: 0 } },
    });
    for (const query of ['limit=101', 'limit=-1', 'page=0', 'colour=red', 'order[colour]=asc'])
      expect((await fresh.call('GET', `/customers?${query}`)).status).toBe(400);
  });
});

describe('replacing a customer', () => {
  it('needs its language, and keeps the number', async () => {
    const customer = await create({ externalId: 'crm-1', phone: '040 1' });
    expect(await tenant.call('PUT', `/customers/${customer.id}`, backhaus)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'language' }] },
    });
    const replaced = await tenant.call('PUT', `/customers/${customer.id}`, { ...backhaus, language: 'en' });
    expect(replaced).toMatchObject({
      status: 200,
      body: { customerNumber: customer.customerNumber, language: 'en', externalId: null, phone: null },
    });
  });

  it('what GET answered can be sent back and changes nothing', async () => {
    const customer = await create({ vatId: 'DE123456789' });
    const again = await tenant.call('PUT', `/customers/${customer.id}`, customer);
    expect(again).toMatchObject({ status: 200, body: customer });
    expect(await billing.noticeTypes(customer.id)).toEqual(['customer.created', 'customer.vat_id.validated']);
  });

  it('the default address follows the name, and its own fields change when one is given', async () => {
    const customer = await create();
    const renamed = await tenant.call('PUT', `/customers/${customer.id}`, {
      email: backhaus.email,
      companyName: 'Backhaus Alster GmbH',
      language: 'de',
    });
    expect(renamed.body.addresses).toMatchObject([
      { id: customer.addresses[0].id, companyName: 'Backhaus Alster GmbH', street: 'Elbchaussee' },
    ]);
    const moved = await tenant.call('PUT', `/customers/${customer.id}`, {
      ...backhaus,
      language: 'de',
      street: 'Jungfernstieg',
      houseNumber: undefined,
    });
    expect(moved.body).toMatchObject({
      street: 'Jungfernstieg',
      houseNumber: null,
      addresses: [{ street: 'Jungfernstieg', houseNumber: null }],
    });
    expect(await billing.noticeTypes(customer.id)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.updated',
    ]);
  });

  it('the fields of its address are replaced together or stay together, the country too', async () => {
    const vienna = {
      street: 'Ring',
      houseNumber: '1',
      zip: '1010',
      city: 'Wien',
      addition: 'Stiege 2',
      countryCode: 'AT',
    };
    const customer = await create(vienna);
    const named = { email: backhaus.email, companyName: 'Backhaus Elbe GmbH', language: 'de' };
    const put = async (body: object) =>
      (await tenant.call('PUT', `/customers/${customer.id}`, { ...named, ...body })).body;
    for (const body of [{}, { countryCode: 'FR' }, { houseNumber: '7', addition: null }])
      expect(await put(body)).toMatchObject({ ...vienna, addresses: [vienna] });
    const moved = { street: null, houseNumber: null, zip: null, city: 'Paris', addition: null, countryCode: 'FR' };
    expect(await put({ city: 'Paris', countryCode: 'FR' })).toMatchObject({ ...moved, addresses: [moved] });
    const home = { ...moved, zip: '22765', city: null, countryCode: 'DE' };
    expect(await put({ zip: '22765' })).toMatchObject({ ...home, addresses: [home] });
  });

  it('without an address it has a country of its own, which stays unless it is named', async () => {
    const customer = await create({ street: null, houseNumber: null, zip: null, city: null, countryCode: 'AT' });
    const named = { email: backhaus.email, companyName: 'Backhaus Elbe GmbH', language: 'de' };
    const put = async (body: object) =>
      (await tenant.call('PUT', `/customers/${customer.id}`, { ...named, ...body })).body;
    expect(await put({})).toMatchObject({ countryCode: 'AT', addresses: [] });
    expect(await put({ countryCode: 'FR' })).toMatchObject({ countryCode: 'FR', addresses: [] });
  });

  it('a new email is published', async () => {
    const customer = await create();
    await tenant.call('PUT', `/customers/${customer.id}`, {
      ...backhaus,
      email: 'neu@backhaus-elbe.example',
      language: 'de',
    });
    expect(await billing.noticeTypes(customer.id)).toEqual([
      'customer.created',
      'customer.updated',
      'customer.email.default_changed',
    ]);
  });

  it("another customer's number is refused", async () => {
    const [first, second] = [await create(), await create()];
    expect(
      await tenant.call('PUT', `/customers/${first.id}`, {
        ...backhaus,
        language: 'de',
        customerNumber: second.customerNumber,
      }),
    ).toMatchObject({
      status: 422,
      body: { reason: 'already_exists', violations: [{ propertyPath: 'customerNumber' }] },
    });
  });
});

describe('archiving and deleting', () => {
  it('archives once and takes back', async () => {
    const { id } = await create();
    for (let i = 0; i < 2; i++)
      expect((await tenant.call('PUT', `/customers/${id}/archive`)).body).toMatchObject({ status: 'STATUS_ARCHIVED' });
    expect((await tenant.call('PUT', `/customers/${id}/unarchive`)).body).toMatchObject({ status: 'STATUS_ACTIVE' });
    expect(await billing.noticeTypes(id)).toEqual(['customer.created', 'customer.archived', 'customer.unarchived']);
  });

  it('deleting asks the other services and does nothing while one cannot be asked', async () => {
    const { id } = await create();
    expect((await tenant.call('DELETE', `/customers/${id}`)).status).toBe(503);
    expect((await tenant.call('GET', `/customers/${id}`)).status).toBe(200);
    expect((await tenant.call('DELETE', `/customers/${newUuid()}`)).status).toBe(404);
  });
});

describe('addresses', () => {
  it('a new one becomes the default of its type, and only of its type', async () => {
    const { id, addresses } = await create();
    const invoice = await tenant.call('POST', `/customers/${id}/addresses`, {
      type: 'TYPE_INVOICE',
      street: 'Hafenstraße',
      city: 'Kiel',
      salutation: 'Firma',
    });
    expect(invoice).toMatchObject({
      status: 201,
      body: { default: true, type: 'TYPE_INVOICE', countryCode: 'DE', salutation: 'Firma' },
    });
    const second = await tenant.call('POST', `/customers/${id}/addresses`, { street: 'Markt' });
    expect(second.body).toMatchObject({ default: true, type: 'TYPE_DEFAULT' });
    const list = (await tenant.call('GET', `/customers/${id}/addresses?order[createdAt]=asc`)).body.data;
    expect(list.map((address: { id: string; default: boolean }) => [address.id, address.default])).toEqual(
      expect.arrayContaining([[addresses[0].id, false], [invoice.body.id, true], [second.body.id, true]]),
    ); // prettier-ignore
    expect((await tenant.call('GET', `/customers/${id}`)).body).toMatchObject({ street: 'Markt' });
    expect(await billing.noticeTypes(id)).toEqual([
      'customer.created', 'customer.address.added', 'customer.address.default_changed', 'customer.address.added', 'customer.address.default_changed',
    ]); // prettier-ignore
  });

  it('the default can be moved and taken away; an archived address cannot have it', async () => {
    const { id, addresses } = await create();
    const [{ id: first }] = addresses;
    const second = (await tenant.call('POST', `/customers/${id}/addresses`, { street: 'Markt' })).body;
    expect(await tenant.call('POST', `/customer-addresses/${first}/default`)).toMatchObject({
      status: 201,
      body: { default: true },
    });
    expect((await tenant.call('DELETE', `/customer-addresses/${first}/default`)).status).toBe(204);
    const archived = await tenant.call('PUT', `/customer-addresses/${second.id}`, {
      street: 'Markt',
      status: 'archived',
    });
    expect(archived.body).toMatchObject({ status: 'archived', default: false });
    expect(await tenant.call('POST', `/customer-addresses/${second.id}/default`)).toMatchObject({
      status: 422,
      body: { reason: 'invalid_status_transition' },
    });
    expect(
      (await tenant.call('GET', `/customers/${id}`)).body.addresses.filter(
        (address: { default: boolean }) => address.default,
      ),
    ).toEqual([]);
  });

  it.each([
    [{ type: 'TYPE_HOME' }, 422],
    [{ countryCode: 'D' }, 422],
    [{ salutation: 'Dr' }, 422],
    [{ zip: 22765 }, 400],
  ])('%j is refused with %d', async (body, status) => {
    const { id } = await create();
    expect((await tenant.call('POST', `/customers/${id}/addresses`, body)).status).toBe(status);
  });

  it('of unknown customers and unknown ones are not found', async () => {
    expect((await tenant.call('POST', `/customers/${newUuid()}/addresses`, {})).status).toBe(404);
    expect((await tenant.call('GET', `/customers/${newUuid()}/addresses`)).status).toBe(404);
    expect((await tenant.call('PUT', `/customer-addresses/${newUuid()}`, {})).status).toBe(404);
  });

  it('only so many that every event can carry them', async () => {
    const { id } = await create();
    let answer = await tenant.call('POST', `/customers/${id}/addresses`, {});
    const long = 'x'.repeat(250);
    const body = {
      companyName: long,
      firstName: long,
      lastName: long,
      street: long,
      city: long,
      addition: long,
      costCentre: long,
    };
    for (let i = 0; i < 60 && answer.status === 201; i++)
      answer = await tenant.call('POST', `/customers/${id}/addresses`, body);
    expect(answer).toMatchObject({ status: 422, body: { reason: 'customer_too_large' } });
  });
});

describe('settings of a customer', () => {
  it('inherit unless set, and null inherits again', async () => {
    const { id } = await create();
    expect((await tenant.call('GET', `/customers/${id}/settings`)).body).toMatchObject({
      paymentTermDays: null,
      creditOverpayments: null,
      timeZone: null,
    });
    const named = { leitwegId: '991-33333TEST-33', buyerReference: 'Abteilung 7' };
    expect(await tenant.call('PUT', `/customers/${id}/settings`, named)).toMatchObject({ status: 200, body: named });
    const changed = await tenant.call('PUT', `/customers/${id}/settings`, {
      paymentTermDays: 30,
      timeZone: 'America/New_York',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { paymentTermDays: 30, creditOverpayments: null, timeZone: 'America/New_York' },
    });
    expect((await tenant.call('GET', `/customers/${id}`)).body.timeZone).toBe('America/New_York');
    await tenant.call('PUT', `/customers/${id}/settings`, { timeZone: null });
    expect((await tenant.call('GET', `/customers/${id}/settings`)).body).toMatchObject({
      paymentTermDays: 30,
      timeZone: null,
    });
    expect((await tenant.call('GET', `/customers/${id}`)).body.timeZone).toBe('Europe/Berlin');
  });

  it.each([
    [{ timeZone: 'Mars/Olympus' }, 422],
    [{ timeZone: '+02:00' }, 422],
    [{ leitwegId: '991-33333TEST-34' }, 422],
    [{ buyerReference: '' }, 422],
    [{ paymentTermDays: -1 }, 422],
    [{ paymentTermDays: '30' }, 400],
    [{ seller: {} }, 400],
    [{ oss: true }, 400],
  ])('%j is refused with %d', async (body, status) => {
    const { id } = await create();
    expect((await tenant.call('PUT', `/customers/${id}/settings`, body)).status).toBe(status);
  });
});

describe('hierarchy', () => {
  const setParent = (child: string, parentCustomerId: string, on = tenant) =>
    on.call('PUT', `/customers/${child}/set-parent`, { parentCustomerId });

  it('has three levels, and no circle', async () => {
    const [a, b, c, d] = [await create(), await create(), await create(), await create()];
    expect((await setParent(b.id, a.id)).body).toMatchObject({ parentCustomerId: a.id });
    expect((await setParent(c.id, b.id)).status).toBe(200);
    for (const [child, parent] of [
      [d, c],
      [a, c],
      [a, a],
    ] as const)
      expect(await setParent(child.id, parent.id)).toMatchObject({
        status: 422,
        body: { reason: 'hierarchy_invalid' },
      });
    expect((await setParent(d.id, newUuid())).body).toMatchObject({ reason: 'unknown_reference' });
    const tree = (await tenant.call('GET', `/customers/${c.id}/hierarchy`)).body.data;
    expect(tree.map((node: { id: string; level: number }) => [node.id, node.level])).toEqual([[a.id, 1], [b.id, 2], [c.id, 3]]); // prettier-ignore
    expect(
      (await tenant.call('GET', `/customers/${a.id}/children`)).body.data.map((child: { id: string }) => child.id),
    ).toEqual([b.id]);
    expect((await tenant.call('PUT', `/customers/${b.id}/remove-parent`)).body.parentCustomerId).toBeNull();
    expect(await billing.noticeTypes(b.id)).toEqual([
      'customer.created',
      'customer.parent.assigned',
      'customer.parent.removed',
    ]);
  });

  it('two assignments that would close a circle: one is refused', async () => {
    const [a, b] = [await create(), await create()];
    const answers = await Promise.all([setParent(a.id, b.id), setParent(b.id, a.id)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  });

  it('without the feature: 403 on writes, nothing to read', async () => {
    const plain = await billing.tenant({ features: [] });
    const [a, b] = [await create({}, plain), await create({}, plain)];
    expect(await setParent(a.id, b.id, plain)).toMatchObject({ status: 403, body: { reason: 'feature_not_enabled' } });
    expect((await plain.call('PUT', `/customers/${a.id}/remove-parent`)).status).toBe(403);
    for (const part of ['children', 'hierarchy'])
      expect((await plain.call('GET', `/customers/${a.id}/${part}`)).body.data).toEqual([]);
  });
});

describe('the default payment method', () => {
  const method = (id: string, customerId: string, state: object = {}) => ({
    id,
    customerId,
    gatewayName: 'testing',
    status: 'active',
    default: false,
    enabled: true,
    representation: {},
    ...state,
  });

  it('is chosen here and made so by its owner', async () => {
    const customer = await create();
    const id = newUuid();
    await billing.test.giveCopy('payment_method', tenant.id, id, method(id, customer.id));
    const answer = tenant.call('PATCH', `/customers/${customer.id}/payment-method`, { paymentMethodId: id });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await billing.test.giveCopy('payment_method', tenant.id, id, method(id, customer.id, { default: true }), 2);
    expect(await answer).toMatchObject({ status: 200, body: { id: customer.id } });
    const types = await billing.test.peek(
      'SELECT type, aggregate_seq::int AS seq FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      [customer.id],
    );
    expect(types).toEqual([
      { type: 'billing.customer.changed.v1', seq: 1 },
      { type: 'billing.customer.payment-method-chosen.v1', seq: 2 },
    ]);
  });

  it("another customer's, an unknown and an expired one are refused", async () => {
    const [customer, other] = [await create(), await create()];
    const [foreign, expired] = [newUuid(), newUuid()];
    await billing.test.giveCopy('payment_method', tenant.id, foreign, method(foreign, other.id));
    await billing.test.giveCopy(
      'payment_method',
      tenant.id,
      expired,
      method(expired, customer.id, { status: 'expired' }),
    );
    const choose = (paymentMethodId: string) =>
      tenant.call('PATCH', `/customers/${customer.id}/payment-method`, { paymentMethodId });
    expect(await choose(foreign)).toMatchObject({ status: 422, body: { reason: 'unknown_reference' } });
    expect(await choose(expired)).toMatchObject({ status: 422, body: { reason: 'validation_failed' } });
  });
});
