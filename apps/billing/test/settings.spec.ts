import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { MAX_CUSTOM_FIELDS } from '../src/settings/add-custom-field.js';
import { backhaus, Billing } from './support/billing.js';

let billing: Billing;
beforeAll(async () => void (billing = await Billing.start()));
afterAll(() => billing.stop());

describe('billing settings', () => {
  it('say how the pages for buyers look, within what fits into a page', async () => {
    const tenant = await billing.tenant();
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';
    const checkout = { termsUrl: 'https://nordlicht.example/agb', accentColor: '#0a7d5c', logo: `data:image/png;base64,${pixel}` };
    const answer = await tenant.call('PUT', '/settings/billing', { checkout });
    expect([answer.status, answer.body.checkout]).toEqual([200, expect.objectContaining({ ...checkout, privacyUrl: null })]);
    for (const wrong of [
      { termsUrl: 'javascript:alert(1)' }, { termsUrl: 'http://nordlicht.example' }, { accentColor: 'red' }, { accentColor: '#0a7d5c}' },
      { logo: 'https://nordlicht.example/logo.png' }, { logo: 'data:text/html;base64,AAAA' }, { logo: 'data:image/png;base64,AAAA' },
      { logo: `data:image/png;base64,${'A'.repeat(30_000)}` }, { logo: 'data:image/png;base64,iVBORw0KGgo=' },
    ]) expect((await tenant.call('PUT', '/settings/billing', { checkout: wrong })).status).toBe(422);
    expect((await tenant.call('PUT', '/settings/billing', { checkout: { colour: '#000000' } })).status).toBe(400);
  }); // prettier-ignore

  it('a live tenant is led from nothing to its first invoice', async () => {
    const live = await billing.tenant({ mode: 'live' });
    const list = async () => (await live.call('GET', '/tenant/go-live')).body;
    const open = ({ items }: { items: { item: string; required: boolean; state: string }[] }): string[] =>
      items.filter(({ required, state }) => required && state === 'missing').map(({ item }) => item);
    expect(open(await list())).toEqual(['seller_company', 'seller_address', 'seller_tax_id', 'bank_account', 'price']);
    const address = { street: 'Elbchaussee', zip: '22765', city: 'Hamburg', countryCode: 'DE' };
    const seller = { company: 'Elbtöne GmbH', address, vatId: 'DE136695976', bankAccount: { iban: 'DE89370400440532013000' } };
    expect((await live.call('PUT', '/settings/billing', { seller })).status).toBe(200);
    expect(open(await list())).toEqual(['price']);
    const product = (await live.call('POST', '/catalogue/products', { name: 'Team', type: 'product' })).body;
    const price = { product: product.id, type: 'flat_fee', currencyCode: 'EUR', billingInterval: '1M', price: { amount: 900 } };
    expect((await live.call('POST', '/price-plans', price)).status).toBe(201);
    expect(await list()).toMatchObject({ ready: true, items: expect.arrayContaining([expect.objectContaining({ item: 'numbers', state: 'to_check' })]) });
    expect((await billing.tenant().then((sandbox) => sandbox.call('GET', '/tenant/go-live'))).status).toBe(200);
  }); // prettier-ignore

  it('start with the defaults; a sandbox with an example seller, a live tenant with none', async () => {
    const [sandbox, live] = [await billing.tenant(), await billing.tenant({ mode: 'live' })];
    const settings = (await live.call('GET', '/settings/billing')).body;
    expect(settings).toEqual({
      paymentTermDays: 14, manualApproval: false, createZeroInvoices: false, creditOverpayments: false, applyCreditAutomatically: false, dunningEnabled: true,
      dunningInterest: { enabled: false }, dunningLumpSum: false,
      usageBreakdownLink: true, paymentQrCode: true, billingDisabled: false, usageGraceHours: 2, usageRetentionDays: 400, paymentRetryDays: [3, 5, 7],
      preNotificationDays: 2, creditExpiryDays: null, positionGroupNameTemplate: null, eInvoiceEnabled: true, eInvoiceType: 'zugferd211',
      customPdfRendering: { enabled: false, embedXml: true, fallback: true, timeoutMinutes: 60 },
      numberFormats: {
        TYPE_INVOICE: 'RE-{year}-{seq:5}', TYPE_CREDIT: 'GS-{year}-{seq:5}', TYPE_REFUND: 'ER-{year}-{seq:5}', TYPE_REMINDER: 'ZE-{year}-{seq:5}',
        TYPE_CANCEL: 'ST-{year}-{seq:5}', TYPE_DUNNING: 'MA-{year}-{seq:5}',
      },
      oss: true, smallBusiness: false,
      offers: { approvers: [], reminderDays: [] },
      checkout: { termsUrl: null, privacyUrl: null, withdrawalUrl: null, imprintUrl: null, logo: null, accentColor: null },
      seller: {
        company: null, address: { street: null, houseNumber: null, zip: null, city: null, addition: null, countryCode: null }, taxNumber: null, vatId: null,
        bankAccount: { accountHolder: null, iban: null, bic: null, bankName: null }, creditorIdentifier: null, registration: null,
        contact: { name: null, email: null, phone: null },
      },
    }); // prettier-ignore
    expect((await sandbox.call('GET', '/settings/billing')).body.seller).toMatchObject({
      company: 'Nordlicht Software GmbH',
      address: { city: 'Berlin' },
    });
  });

  it('that another service asks for while the tenant is being created are not made for nobody', async () => {
    const id = newUuid();
    const { kit } = billing.test.service;
    const asked = billing.test.as(servicePrincipal(id, 'usage'));
    // What identity answers until it has committed the tenant.
    kit.replicas.readThrough(null);
    for (const kind of ['settings', 'tax_group'])
      expect(await asked('GET', `/internal/replicas/${kind}/${id}?id=${id}`)).toMatchObject({ body: { items: [] } });
    const { call } = await billing.tenant({ id });
    expect((await call('GET', '/settings/billing')).body.seller).toMatchObject({ company: 'Nordlicht Software GmbH' });
  });

  it('only supplied fields change, and the tenant is notified', async () => {
    const { id, call } = await billing.tenant();
    const before = (await call('GET', '/settings/billing')).body;
    const answer = await call('PUT', '/settings/billing', {
      paymentTermDays: 30,
      seller: { contact: { phone: ' 0431 1 ' } },
      numberFormats: { TYPE_INVOICE: 'R/{year}/{seq}' },
    });
    const after = {
      ...before,
      paymentTermDays: 30,
      seller: { ...before.seller, contact: { ...before.seller.contact, phone: '0431 1' } },
      numberFormats: { ...before.numberFormats, TYPE_INVOICE: 'R/{year}/{seq}' },
    };
    expect(answer).toMatchObject({ status: 200, body: after });
    expect((await call('GET', '/settings/billing')).body).toEqual(after);
    expect(await billing.notices(id)).toMatchObject([
      { type: 'tenant.updated', activity: { metadata: { changed: ['numberFormats', 'paymentTermDays', 'seller'] } } },
    ]);
  });

  it('the same again publishes nothing, and null goes back to the default', async () => {
    const { id, call } = await billing.tenant();
    await call('PUT', '/settings/billing', { paymentTermDays: 30 });
    await call('PUT', '/settings/billing', { paymentTermDays: 30 });
    expect(await billing.notices(id)).toHaveLength(1);
    expect((await call('PUT', '/settings/billing', { paymentTermDays: null })).body.paymentTermDays).toBe(14);
  });

  it('changes at the same time do not undo each other', async () => {
    const { call } = await billing.tenant();
    await Promise.all([
      call('PUT', '/settings/billing', { paymentTermDays: 7 }),
      call('PUT', '/settings/billing', { creditOverpayments: true }),
      call('PUT', '/settings/billing', { seller: { company: 'Nord GmbH' } }),
      call('PUT', '/settings/billing', { seller: { taxNumber: '1/2/3' } }),
    ]);
    expect((await call('GET', '/settings/billing')).body).toMatchObject({
      paymentTermDays: 7,
      creditOverpayments: true,
      seller: { company: 'Nord GmbH', taxNumber: '1/2/3' },
    });
  });

  it.each([
    ['a word for a number', { paymentTermDays: '30' }, 400],
    ['a negative term', { paymentTermDays: -1 }, 422],
    ['a broken template', { positionGroupNameTemplate: '{% if %}' }, 422],
    ['an unknown key', { colour: 'red' }, 400],
    ['an unknown key of the seller', { seller: { colour: 'red' } }, 400],
    ['an account number that is none', { seller: { bankAccount: { iban: 'DE00' } } }, 422],
    ['a number format without a year', { numberFormats: { TYPE_INVOICE: 'RE-{seq}' } }, 422],
    ['the same numbers for two kinds of documents', { numberFormats: { TYPE_CREDIT: 'RE-{year}-{seq:5}' } }, 422],
    ['null for the seller', { seller: null }, 400],
    ["null for the seller's address", { seller: { address: null } }, 400],
    ['null for all number formats', { numberFormats: null }, 400],
    ['null for custom PDF rendering', { customPdfRendering: null }, 400],
    ['an unknown e-invoice', { eInvoiceType: 'ubl' }, 422],
    ['a retry after no days', { paymentRetryDays: [0] }, 422],
  ])('%s is refused and changes nothing', async (_name, body, status) => {
    const { call } = await billing.tenant();
    const before = (await call('GET', '/settings/billing')).body;
    expect((await call('PUT', '/settings/billing', body)).status).toBe(status);
    expect((await call('GET', '/settings/billing')).body).toEqual(before);
  });

  it('custom PDF rendering is for the enterprise plan', async () => {
    const [standard, enterprise] = [await billing.tenant({ plan: 'standard' }), await billing.tenant()];
    const body = { customPdfRendering: { enabled: true } };
    expect(await standard.call('PUT', '/settings/billing', body)).toMatchObject({
      status: 403,
      body: { reason: 'feature_not_enabled' },
    });
    const unchanged = (await standard.call('GET', '/settings/billing')).body;
    expect((await standard.call('PUT', '/settings/billing', unchanged)).status).toBe(200);
    expect(await enterprise.call('PUT', '/settings/billing', body)).toMatchObject({
      status: 200,
      body: { customPdfRendering: { enabled: true, embedXml: true, fallback: true, timeoutMinutes: 60 } },
    });
  });

  it('e-invoices can be switched off, for one customer, too', async () => {
    const { call } = await billing.tenant();
    const { body: customer } = await call('POST', '/customers', backhaus);
    for (const path of ['/settings/billing', `/customers/${customer.id}/settings`]) {
      expect((await call('PUT', path, { eInvoiceEnabled: false })).status).toBe(200);
      expect((await call('GET', path)).body).toMatchObject({ eInvoiceEnabled: false });
      expect((await call('PUT', path, (await call('GET', path)).body)).status).toBe(200);
    }
  });

  it('other services can fetch them', async () => {
    const { id, call } = await billing.tenant();
    await call('PUT', '/settings/billing', { paymentTermDays: 21 });
    const [event] = await billing.test.peek<{ payload: string }>(
      `SELECT payload::text FROM outbox WHERE type = 'billing.settings.changed.v1' AND tenant_id = $1 ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(JSON.parse(event!.payload)).toMatchObject({
      id,
      version: 2,
      state: { paymentTermDays: 21, customFieldDefinitions: [] },
    });
  });
});

describe('custom fields', () => {
  it('are two hundred of a tenant at most', async () => {
    const { id, call } = await billing.tenant();
    expect((await call('POST', '/custom-fields', { key: 'first' })).status).toBe(201);
    await billing.test.peek(
      `INSERT INTO custom_field SELECT made.* FROM custom_field one, generate_series(2, $2::int) n,
         LATERAL jsonb_populate_record(NULL::custom_field,
           to_jsonb(one) || jsonb_build_object('id', gen_random_uuid(), 'key', 'key' || n)) made
       WHERE one.tenant_id = $1`,
      [id, MAX_CUSTOM_FIELDS - 1],
    );
    expect((await call('POST', '/custom-fields', { key: 'last' })).status).toBe(201);
    expect(await call('POST', '/custom-fields', { key: 'more' })).toMatchObject({
      status: 422,
      body: { reason: 'too_many_custom_fields' },
    });
  });

  it('are configured once per kind of object, and then accepted there', async () => {
    const { call } = await billing.tenant();
    const field = await call('POST', '/custom-fields', { key: 'costCentre', name: 'Kostenstelle' });
    expect(field).toMatchObject({
      status: 201,
      body: { key: 'costCentre', name: 'Kostenstelle', object: 'customer', type: 'text', options: [], required: false },
    });
    expect(await call('POST', '/custom-fields', { key: 'costCentre' })).toMatchObject({
      status: 422,
      body: { reason: 'already_exists' },
    });
    expect(
      (
        await call('POST', '/custom-fields', {
          key: 'costCentre',
          object: 'invoice',
          type: 'select',
          options: ['a', 'b'],
        })
      ).status,
    ).toBe(201);
    expect((await call('GET', '/custom-fields?object=invoice')).body.data).toHaveLength(1);
    const customer = await call('POST', '/customers', { ...backhaus, customFields: { costCentre: '4711' } });
    expect(customer).toMatchObject({ status: 201, body: { customFields: { costCentre: '4711' } } });
    const changed = await call('PUT', `/customers/${customer.body.id}`, {
      ...backhaus,
      language: 'de',
      customFields: { costCentre: '4712' },
    });
    expect(changed.body.customFields).toEqual({ costCentre: '4712' });
    expect(await billing.noticeTypes(customer.body.id)).toEqual([
      'customer.created',
      'customer.updated',
      'custom_fields.updated',
    ]);
  });

  it.each([
    [{ key: '1a' }, 422],
    [{ name: 'x' }, 400],
    [{ key: 'a', type: 'select' }, 422],
    [{ key: 'a', options: ['x'] }, 422],
    [{ key: 'a', object: 'house' }, 422],
    [{ key: 'a', options: 'x' }, 400],
  ])('%j is refused with %d', async (body, status) => {
    const { call } = await billing.tenant();
    expect((await call('POST', '/custom-fields', body)).status).toBe(status);
  });
});
