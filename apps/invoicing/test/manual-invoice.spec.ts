import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { eur, position, reasonOf, type Tenant, World } from './support/world.js';

describe('an invoice by hand', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  it('is a draft without number and debt, and becomes UNPAID with its intent', async () => {
    const draft = await tenant.ok('POST', '/invoices', {
      customer: customerId,
      positions: [
        position({
          quantity: '2.5',
          discountPercentage: '10',
          serviceDateFrom: '2026-02-01T00:00:00+01:00',
          serviceDateTo: '2026-02-28T00:00:00+01:00',
        }),
        position({ name: 'Buch', taxGroup: tenant.groups.reduced }),
      ],
    });
    expect(draft).toMatchObject({
      status: 'STATUS_DRAFT',
      number: null,
      sourceType: 'manual',
      unpaidAmount: eur(0),
      file: null,
      paymentIntent: null,
      type: 'TYPE_INVOICE',
    });
    expect(draft).toMatchObject({
      netAmount: eur(32500),
      taxAmount: eur(4275 + 700),
      grossAmount: eur(32500 + 4975),
      discountAmount: eur(2500),
    });
    expect(draft.positions[0]).toMatchObject({
      position: 1,
      quantity: '2.5',
      netAmount: eur(25000),
      taxAmount: eur(4275),
      grossAmount: eur(26775),
      tax: { rate: '19' },
    });
    expect(draft.serviceDateFrom).toBe('2026-01-31T23:00:00.000Z');

    const answer = await tenant.send('POST', `/invoices/${draft.id}/finalize`);
    expect(answer.status).toBe(201);
    const invoice = answer.body;
    expect(invoice).toMatchObject({
      status: 'STATUS_UNPAID',
      unpaidAmount: eur(37475),
      paymentIntent: { status: 'open', openAmount: eur(37475) },
      title: 'Rechnung',
    });
    expect(invoice.number).toMatch(/^RE-2026-\d{5}$/);
    expect(invoice.file).toMatchObject({
      mimeType: 'application/pdf',
      fileExtension: 'pdf',
      fileName: `${invoice.number}.pdf`,
    });
    // Finalized on 2 March in Berlin: 14 days later, at the end of that local day.
    expect(invoice.dueDate).toBe('2026-03-16T22:59:59.999Z');
    expect(await tenant.notices(draft.id)).toEqual([
      { type: 'invoice.created', status: 'STATUS_DRAFT' },
      { type: 'invoice.finalized', status: 'STATUS_UNPAID' },
    ]);
    expect(await tenant.ok('GET', `/invoices/${draft.id}`)).toEqual(invoice);
    const timeline = await tenant.ok('GET', `/invoices/${draft.id}/timeline`);
    expect(timeline.data.map((entry: { type: string }) => entry.type)).toEqual([
      'invoice.created',
      'invoice.finalized',
    ]);
  });

  it('of total 0 is PAID at once and has no intent', async () => {
    const draft = await tenant.draft(customerId, position({ unitPrice: eur(0) }));
    const invoice = await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    expect(invoice).toMatchObject({ status: 'STATUS_PAID', paymentIntent: null, unpaidAmount: eur(0) });
    expect((await tenant.notices(draft.id)).at(-1)).toEqual({ type: 'invoice.finalized', status: 'STATUS_PAID' });
  });

  it('of negative total is a credit note with negative amounts', async () => {
    const draft = await tenant.draft(customerId, position({ quantity: '-1' }));
    const credit = await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    expect(credit).toMatchObject({
      type: 'TYPE_CREDIT',
      status: 'STATUS_UNPAID',
      netAmount: eur(-10000),
      taxAmount: eur(-1900),
      grossAmount: eur(-11900),
      unpaidAmount: eur(-11900),
    });
    expect(credit.number).toMatch(/^GS-2026-00001$/);
  });

  it('waits for the intent for some time and then answers FINALIZING; later it is UNPAID', async () => {
    const hurried = await World.start({ FINALIZATION_WAIT_SECONDS: '1' });
    const owner = await hurried.tenant();
    hurried.payments.opensIntents = false;
    const draft = await owner.draft((await owner.customer()).id);
    const invoice = await owner.ok('POST', `/invoices/${draft.id}/finalize`);
    expect(invoice).toMatchObject({ status: 'STATUS_FINALIZING', unpaidAmount: eur(11900) });
    hurried.payments.opensIntents = true;
    await eventually(async () => (await owner.ok('GET', `/invoices/${draft.id}`)).status === 'STATUS_UNPAID', 'UNPAID');
    await hurried.stop();
  });

  it('can be changed, position by position, only while it is a draft', async () => {
    const draft = await tenant.draft(customerId);
    const added = await tenant.ok(
      'POST',
      `/invoices/${draft.id}/positions`,
      position({ name: 'Extra', group: 'Zusatz', children: [position({ name: 'Teil' })] }),
    );
    expect(added).toMatchObject({ name: 'Extra', group: { name: 'Zusatz', ranking: 1 }, parent: null, position: 2 });
    const child = (await tenant.ok('GET', `/invoices/${draft.id}`)).positions[2];
    expect(child).toMatchObject({ name: 'Teil', position: 3, parent: { id: added.id } });
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft.id}/positions`, position({ parent: child.id })))).toBe(
      '422 position_tree_too_deep',
    );
    const replaced = await tenant.ok(
      'PUT',
      `/invoice-position-items/${added.id}`,
      position({ name: 'Anders', quantity: '3' }),
    );
    expect(replaced).toMatchObject({ id: added.id, name: 'Anders', netAmount: eur(30000), group: null });
    expect(await tenant.ok('GET', `/invoices/${draft.id}`)).toMatchObject({
      netAmount: eur(40000),
      positions: [{}, { name: 'Anders' }],
    });
    expect((await tenant.send('DELETE', `/invoice-position-items/${added.id}`)).status).toBe(204);
    const put = await tenant.ok('PUT', `/invoices/${draft.id}`, {
      customer: customerId,
      positions: [position({ unitPrice: eur(500) })],
    });
    expect(put).toMatchObject({ netAmount: eur(500), taxAmount: eur(95) });
    expect(await tenant.ok('PUT', `/invoices/${draft.id}/note`, { note: 'Rückfrage' })).toMatchObject({
      internalNote: 'Rückfrage',
    });
    await tenant.ok('POST', `/invoices/${draft.id}/finalize`, { dueDate: '2026-12-24T12:00:00.000Z' });
    expect((await tenant.ok('GET', `/invoices/${draft.id}`)).dueDate).toBe('2026-12-24T12:00:00.000Z');
    expect(reasonOf(await tenant.send('PUT', `/invoices/${draft.id}`, { customer: customerId }))).toBe(
      '422 invoice_not_draft',
    );
    expect(reasonOf(await tenant.send('DELETE', `/invoices/${draft.id}`))).toBe('422 invoice_not_draft');
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft.id}/positions`, position()))).toBe(
      '422 invoice_not_draft',
    );
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft.id}/finalize`))).toBe('422 invalid_status_transition');
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft.id}/address`, {}))).toBe('422 invoice_not_draft');
  });

  it('takes another address or payment method of its customer, and none of another', async () => {
    const [first, second] = [newUuid(), newUuid()];
    const address = { ...exampleAddress, id: first };
    const customer = await tenant.customer({
      addresses: [address, { ...address, id: second, default: false, city: 'Wien', countryCode: 'AT' }],
    });
    const method = newUuid();
    await tenant.copy('payment_method', method, {
      id: method,
      customerId: customer.id,
      gatewayName: 'testing',
      status: 'active',
      default: true,
      enabled: true,
      representation: { id: method },
    });
    const { id } = await tenant.draft(customer.id);
    expect(await tenant.ok('POST', `/invoices/${id}/address`, { invoiceAddress: second })).toMatchObject({
      invoiceAddress: { city: 'Wien' },
      taxAmount: eur(0),
    });
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/address`, { invoiceAddress: newUuid() }))).toBe(
      '422 unknown_reference',
    );
    expect(await tenant.ok('POST', `/invoices/${id}/address`, {})).toMatchObject({
      invoiceAddress: { city: 'Hamburg' },
      taxAmount: eur(1900),
    });
    expect(await tenant.ok('POST', `/invoices/${id}/payment-method`, { paymentMethod: method })).toMatchObject({
      paymentMethod: { id: method },
    });
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/payment-method`, { paymentMethod: newUuid() }))).toBe(
      '422 unknown_reference',
    );
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    expect(await tenant.ok('POST', `/invoices/${id}/payment-method`, { paymentMethod: null })).toMatchObject({
      paymentMethod: null,
      status: 'STATUS_UNPAID',
    });
    const published = await world.test.peek(
      `SELECT 1 FROM outbox WHERE type = 'invoicing.invoice.payment-method-chosen.v1' AND aggregate_id = $1`,
      [id],
    );
    expect(published).toHaveLength(1);
    const sequences = await world.test.peek<{ n: number }>(
      'SELECT aggregate_seq::int AS n FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      [id],
    );
    expect(sequences.map((row) => row.n)).toEqual(sequences.map((_, index) => index + 1));
  });

  it('can be removed while it is a draft', async () => {
    const draft = await tenant.draft(customerId);
    expect((await tenant.send('DELETE', `/invoices/${draft.id}`)).status).toBe(204);
    expect((await tenant.send('GET', `/invoices/${draft.id}`)).status).toBe(404);
    expect((await tenant.notices(draft.id)).map((notice) => notice.type)).toEqual([
      'invoice.created',
      'invoice.removed',
    ]);
  });

  it('can be duplicated as a new draft', async () => {
    const draft = await tenant.draft(customerId, position({ name: 'Eins', children: [position({ name: 'Zwei' })] }));
    const copy = await tenant.ok('POST', `/invoices/${draft.id}/duplicate`);
    expect(copy.id).not.toBe(draft.id);
    expect(copy).toMatchObject({
      status: 'STATUS_DRAFT',
      grossAmount: eur(23800),
      positions: [{ name: 'Eins' }, { name: 'Zwei', parent: { name: 'Eins' } }],
    });
  });

  it('converts positions of other currencies and shows the rate', async () => {
    const draft = await tenant.ok('POST', '/invoices', {
      customer: customerId,
      positions: [position({ unitPrice: { amount: 10800, currencyCode: 'USD' } })],
    });
    expect(draft).toMatchObject({
      currencyCode: 'EUR',
      netAmount: eur(10000),
      applicatedExchangeRates: [{ sourceCurrencyCode: 'USD', destinationCurrencyCode: 'EUR' }],
    });
    expect(draft.positions[0]).toMatchObject({
      unitPrice: { amount: 10800, currencyCode: 'USD' },
      netAmount: eur(10000),
    });
  });

  it('is not finalized without seller data or address, and stays a draft', async () => {
    const other = await world.tenant({ settings: { seller: { company: null, address: {} } } });
    const id = (await other.draft((await other.customer()).id)).id;
    expect(reasonOf(await other.send('POST', `/invoices/${id}/finalize`))).toBe('422 seller_data_incomplete');
    const homeless = (await tenant.customer({ addresses: [] })).id;
    const draft = (await tenant.draft(homeless)).id;
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft}/finalize`))).toBe('422 invoice_address_incomplete');
    expect(await tenant.ok('GET', `/invoices/${draft}`)).toMatchObject({ status: 'STATUS_DRAFT', number: null });
    const empty = (await tenant.ok('POST', '/invoices', { customer: customerId })).id;
    expect(reasonOf(await tenant.send('POST', `/invoices/${empty}/finalize`))).toBe('422 positions_missing');
  });

  test.each<[string, unknown, string]>([
    ['unreadable JSON', '{"customer":', '400 invalid_request'],
    ['no customer', { positions: [] }, '400 invalid_request'],
    ['unknown field', { customer: newUuid(), colour: 'red' }, '400 unknown_field'],
    ['wrong type', { customer: 5 }, '400 invalid_request'],
    ['positions no list', { customer: newUuid(), positions: {} }, '400 invalid_request'],
    ['position without name', { customer: newUuid(), positions: [{ unitPrice: eur(1) }] }, '400 invalid_request'],
    ['customer no uuid', { customer: 'x' }, '422 validation_failed'],
    ['unknown customer', { customer: newUuid() }, '422 unknown_reference'],
    ['unknown currency', { customer: '@', currencyCode: 'QQQ' }, '422 validation_failed'],
    ['unknown tax group', { customer: '@', positions: [position({ taxGroup: newUuid() })] }, '422 unknown_reference'],
    ['unknown unit', { customer: '@', positions: [position({ unit: newUuid() })] }, '422 unknown_reference'],
    ['unknown product', { customer: '@', positions: [position({ product: newUuid() })] }, '422 unknown_reference'],
    [
      'two kinds of discount',
      { customer: '@', positions: [position({ discountPercentage: '5', discountFixed: eur(5) })] },
      '422 validation_failed',
    ],
    [
      'discount over 100 %',
      { customer: '@', positions: [position({ discountPercentage: '101' })] },
      '422 validation_failed',
    ],
    [
      'negative discount',
      { customer: '@', positions: [position({ discountFixed: eur(-5) })] },
      '422 validation_failed',
    ],
    [
      'discount in another currency',
      { customer: '@', positions: [position({ discountFixed: { amount: 5, currencyCode: 'USD' } })] },
      '422 currency_mismatch',
    ],
    ['fraction of a cent', { customer: '@', positions: [position({ unitPrice: eur(1.5) })] }, '422 validation_failed'],
    [
      'beyond the safe range',
      { customer: '@', positions: [position({ unitPrice: eur(Number.MAX_SAFE_INTEGER), quantity: '1000' })] },
      '422 validation_failed',
    ],
    ['quantity no decimal', { customer: '@', positions: [position({ quantity: '1e3' })] }, '422 validation_failed'],
    [
      'period ends before it begins',
      {
        customer: '@',
        positions: [position({ serviceDateFrom: '2026-02-02T00:00:00Z', serviceDateTo: '2026-02-01T00:00:00Z' })],
      },
      '422 validation_failed',
    ],
    [
      'three levels',
      { customer: '@', positions: [position({ children: [position({ children: [position()] })] })] },
      '400 unknown_field',
    ],
    [
      'custom field that is not configured',
      { customer: '@', customFields: { colour: 'red' } },
      '422 validation_failed',
    ],
    ['unknown e-invoice', { customer: '@', eInvoiceType: 'ubl' }, '422 validation_failed'],
    ['Leitweg-ID with a wrong check digit', { customer: '@', leitwegId: '991-33333TEST-34' }, '422 invalid_leitweg_id'],
    [
      'currency without a rate',
      { customer: '@', positions: [position({ unitPrice: { amount: 5, currencyCode: 'XPF' } })] },
      '422 exchange_rate_missing',
    ],
  ])('is refused: %s', async (_name, body, expected) => {
    const before = await world.test.peek('SELECT count(*)::int AS n FROM invoice');
    const real =
      typeof body === 'object' && (body as { customer?: unknown }).customer === '@'
        ? { ...(body as object), customer: customerId }
        : body;
    expect(
      reasonOf(
        await tenant.send(
          'POST',
          '/invoices',
          real,
          typeof body === 'string' ? { 'content-type': 'application/json' } : {},
        ),
      ),
    ).toBe(expected);
    expect(await world.test.peek('SELECT count(*)::int AS n FROM invoice')).toEqual(before);
  });

  it("does not show another tenant's documents, nor bill its customers", async () => {
    const other = await world.tenant();
    const draft = await tenant.draft(customerId);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/finalize'],
      ['POST', '/duplicate'],
      ['GET', '/preview'],
      ['GET', '/timeline'],
    ] as const) {
      expect(reasonOf(await other.send(method, `/invoices/${draft.id}${path}`))).toBe('404 not_found');
    }
    expect(reasonOf(await other.send('DELETE', `/invoice-position-items/${draft.positions[0]!.id}`))).toBe(
      '404 not_found',
    );
    expect(reasonOf(await other.send('POST', '/invoices', { customer: customerId }))).toBe('422 unknown_reference');
    expect((await other.invoices()).data).toEqual([]);
    expect(reasonOf(await tenant.send('GET', '/invoices/nonsense'))).toBe('404 not_found');
  });

  it('of an archived customer is refused', async () => {
    const archived = await tenant.customer({ status: 'STATUS_ARCHIVED' });
    expect(reasonOf(await tenant.send('POST', '/invoices', { customer: archived.id }))).toBe('422 customer_archived');
  });

  it('lists by every filter', async () => {
    const customerId = (await tenant.customer()).id;
    const a = await tenant.draft(customerId);
    const b = await tenant.draft(customerId);
    const finalized = await tenant.ok('POST', `/invoices/${b.id}/finalize`);
    const ids = async (query: string): Promise<string[]> =>
      (await tenant.ok('GET', `/invoices?customer=${customerId}&${query}`)).data.map(
        (invoice: { id: string }) => invoice.id,
      );
    expect(await ids('order[creationDate]=asc')).toEqual([a.id, b.id]);
    expect(await ids('status=STATUS_DRAFT')).toEqual([a.id]);
    expect(await ids('status[]=STATUS_DRAFT&status[]=STATUS_UNPAID')).toHaveLength(2);
    expect(await ids('status=STATUS_NEW')).toEqual([]);
    expect(await ids(`number=${finalized.number}`)).toEqual([b.id]);
    expect(await ids(`search=${finalized.number.toLowerCase()}`)).toEqual([b.id]);
    const { street, houseNumber, zip, city } = finalized.invoiceAddress;
    for (const text of [`${street} ${houseNumber}`.toUpperCase(), `${zip} ${city}`, city.slice(1, 4)])
      expect(await ids(`search=${encodeURIComponent(text)}`)).toEqual([b.id]);
    expect(await ids('search=companyName')).toEqual([]);
    expect((await (await world.tenant()).ok('GET', `/invoices?search=${finalized.number}`)).data).toEqual([]);
    expect(await ids('type=TYPE_CREDIT')).toEqual([]);
    expect(await ids('sourceType=manual')).toHaveLength(2);
    expect(await ids('dunningStatus=none')).toHaveLength(2);
    expect(await ids('dunningStatus=dunning')).toEqual([]);
    expect(await ids('dueDate[after]=2026-03-16')).toEqual([b.id]);
    expect(await ids('finalizationDate[before]=2026-03-01')).toEqual([]);
    expect(await ids('creationDate[after]=2026-03-01')).toHaveLength(2);
    expect(await ids(`subscription=${newUuid()}`)).toEqual([]);
    expect(
      await ids(
        'order[number]=desc&order[dueDate]=asc&order[finalizationDate]=asc&order[grossAmount]=asc&order[status]=asc',
      ),
    ).toHaveLength(2);
    expect((await tenant.ok('GET', `/invoices?customer=${customerId}&limit=0`)).meta.pagination).toMatchObject({
      totalItems: 2,
      pageTotalItems: 0,
    });
    for (const query of ['colour=red', 'status=PAID', 'limit=101', 'customer=x', 'order[colour]=asc']) {
      expect(reasonOf(await tenant.send('GET', `/invoices?${query}`))).toBe('400 invalid_request');
    }
  });
});
