import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { eur, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

describe('credits of charges', () => {
  let world: World;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const livingIn = (countryCode: string): object => ({
    companyName: null,
    countryCode,
    vatId: null,
    vatIdStatus: 'unchecked',
    addresses: [{ ...exampleAddress, id: newUuid(), countryCode }],
  });
  const of = async (id: string, type: string): Promise<Json[]> =>
    eventually(async () => {
      const { data } = await tenant.ok('GET', `/invoices?customer=${id}&type=${type}&order[creationDate]=asc`);
      return data.every((invoice: Json) => invoice.status !== 'STATUS_FINALIZING') && data;
    }, type);
  const yearly = { netAmount: eur(12000), unitPrice: eur(12000), quantity: '1' };
  const creditOf = (originalChargeId: string, minor: number): object => ({
    kind: 'credit',
    quantity: '-1',
    netAmount: eur(-minor),
    unitPrice: eur(minor),
    originalChargeId,
  });

  it('carry the rate that was billed, wherever the customer lives by then, and name the invoice', async () => {
    const customer = await tenant.customer(livingIn('FR'));
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    expect([invoice.netAmount, invoice.taxAmount]).toEqual([eur(12000), eur(2400)]);

    await tenant.customer({ ...livingIn('DE'), id: customer.id });
    await tenant.charge([tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 11671)])]);
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    expect(credit).toMatchObject({
      netAmount: eur(-11671),
      taxAmount: eur(-2334),
      grossAmount: eur(-14005),
      referencedInvoice: { id: invoice.id, number: invoice.number },
      referencedInvoices: [{ id: invoice.id, number: invoice.number }],
    });
    expect(credit.positions[0].tax).toEqual(invoice.positions[0].tax);
  });

  it('take all of a charge that was billed beside a credit, which is more than its invoice comes to', async () => {
    const customer = await tenant.customer();
    const first = tenant.batch(customer.id, [yearly]);
    await tenant.charge([first]);
    const dearer = { netAmount: eur(15000), unitPrice: eur(15000), quantity: '1' };
    const second = tenant.batch(customer.id, [creditOf(first.lines[0]!.chargeId, 12000), dearer]);
    await tenant.charge([second]);
    const [, invoice] = await of(customer.id, 'TYPE_INVOICE');
    expect(invoice.netAmount).toEqual(eur(3000));
    const cheaper = { netAmount: eur(1000), unitPrice: eur(1000), quantity: '1' };
    await tenant.charge([tenant.batch(customer.id, [creditOf(second.lines[1]!.chargeId, 15000), cheaper])]);
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    expect(credit).toMatchObject({ netAmount: eur(-14000), referencedInvoice: { id: invoice.id } });
    // `expectInvariants` looks at it in the end.
  });

  it('and a cancellation of the invoice afterwards takes back what they have left', async () => {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    await tenant.charge([tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 2000)])]);
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    const cancellation = await tenant.ok('POST', `/invoices/${invoice.id}/cancel`);
    for (const amount of ['netAmount', 'taxAmount', 'grossAmount'])
      expect(invoice[amount].amount + credit[amount].amount + cancellation[amount].amount).toBe(0);
    expect(cancellation.netAmount).toEqual(eur(-10000));
  });

  it('beside a charge are cancelled before what they credit: together they come to nothing then', async () => {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch]);
    const dearer = { netAmount: eur(24000), unitPrice: eur(24000), quantity: '1' };
    await tenant.charge([tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 11967), dearer])]);
    const [first, second] = await of(customer.id, 'TYPE_INVOICE');
    const cancel = (invoice: Json): Promise<Json> => tenant.send('POST', `/invoices/${invoice.id}/cancel`, {});
    const refused = await cancel(first);
    expect([refused.status, refused.body.reason]).toEqual([422, 'charge_credited']);
    expect(refused.body.detail).toContain(`Cancel ${second.number} first`);
    const cancelled = [(await cancel(second)).body, (await cancel(first)).body];
    expect(cancelled.map(({ netAmount }) => netAmount.amount)).toEqual([-12033, -12000]);
    for (const amount of ['netAmount', 'taxAmount', 'grossAmount'])
      expect([first, second, ...cancelled].reduce((sum, document) => sum + document[amount].amount, 0)).toBe(0);
  });

  it('of all that an invoice asks for are cancelled before it: a cancellation of 0 would end nothing', async () => {
    const customer = await tenant.customer();
    const first = tenant.batch(customer.id, [yearly]);
    await tenant.charge([first]);
    const dearer = { netAmount: eur(24000), unitPrice: eur(24000), quantity: '1' };
    const second = tenant.batch(customer.id, [creditOf(first.lines[0]!.chargeId, 12000), dearer]);
    await tenant.charge([second]);
    await tenant.charge([tenant.batch(customer.id, [creditOf(second.lines[1]!.chargeId, 12000)])]);
    const [older, invoice] = await of(customer.id, 'TYPE_INVOICE');
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    expect(invoice.netAmount.amount + credit.netAmount.amount).toBe(0);
    const refused = await tenant.send('POST', `/invoices/${invoice.id}/cancel`, {});
    expect([refused.status, refused.body.reason]).toEqual([422, 'credit_exceeds_rest']);
    expect((await tenant.ok('GET', `/invoices/${invoice.id}`)).status).toBe(invoice.status);
    for (const { id } of [credit, invoice, older]) await tenant.ok('POST', `/invoices/${id}/cancel`);
  });

  it('about several invoices are cancelled before each of these', async () => {
    const customer = await tenant.customer();
    const batches = [tenant.batch(customer.id, [yearly]), tenant.batch(customer.id, [yearly])];
    for (const batch of batches) await tenant.charge([batch]);
    const credits = batches.map(({ lines }) => creditOf(lines[0]!.chargeId, 2000));
    await tenant.charge([tenant.batch(customer.id, credits)]);
    const invoices = await of(customer.id, 'TYPE_INVOICE');
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    expect(credit.referencedInvoices).toHaveLength(2);
    const refused = await tenant.send('POST', `/invoices/${invoices[0].id}/cancel`, {});
    expect([refused.status, refused.body.reason]).toEqual([422, 'charge_credited']);
    for (const { id } of [credit, ...invoices]) await tenant.ok('POST', `/invoices/${id}/cancel`);
  });

  it('with which something is charged are cancelled before their invoice, else nobody would ask for that', async () => {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch]);
    const smaller = { netAmount: eur(5000), unitPrice: eur(5000), quantity: '1' };
    await tenant.charge([tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 11000), smaller])]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    expect(credit).toMatchObject({ netAmount: eur(-6000), referencedInvoice: { id: invoice.id } });
    const refused = await tenant.send('POST', `/invoices/${invoice.id}/cancel`, {});
    expect([refused.status, refused.body.reason]).toEqual([422, 'charge_credited']);
    expect(refused.body.detail).toContain(`Cancel ${credit.number} first`);
    const cancelled: Json[] = [];
    for (const { id } of [credit, invoice]) cancelled.push(await tenant.ok('POST', `/invoices/${id}/cancel`));
    expect(cancelled.map(({ netAmount }) => netAmount.amount)).toEqual([6000, -12000]);
  });

  it('leave as much as they have not taken, whatever is charged on the same credit note', async () => {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [yearly, yearly]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    const smaller = { netAmount: eur(1335), unitPrice: eur(1335), quantity: '1' };
    const unused = batch.lines.map(({ chargeId }) => creditOf(chargeId, 11257));
    await tenant.charge([tenant.batch(customer.id, [...unused, smaller], { immediate: true })]);
    const [credit] = await of(customer.id, 'TYPE_CREDIT');
    expect(credit).toMatchObject({ netAmount: eur(-21179), referencedInvoice: { id: invoice.id } });
    const rest = await tenant.ok('POST', `/invoices/${invoice.id}/credit`, { reason: 'other' });
    expect(rest).toMatchObject({ netAmount: eur(-1486), taxAmount: eur(-282) });
    expect(rest.positions.map((position: Json) => position.netAmount)).toEqual([eur(-743), eur(-743)]);
    // What is left of it all is what the smaller price costs.
    expect(invoice.netAmount.amount + credit.netAmount.amount + rest.netAmount.amount).toBe(1335);
  });

  it('credit tax although the VAT id is valid by now, and none where none was billed', async () => {
    const taxed = await tenant.customer({ ...livingIn('AT'), vatId: 'ATU12345675', vatIdStatus: 'unavailable' });
    const free = await tenant.customer({ ...livingIn('AT'), vatId: 'ATU12345675', vatIdStatus: 'valid' });
    const before = [tenant.batch(taxed.id, [yearly]), tenant.batch(free.id, [yearly])];
    await tenant.charge(before);
    const [untaxed] = await of(free.id, 'TYPE_INVOICE');
    const why = { note: expect.stringMatching(/Reverse Charge/), exemptionCode: 'VATEX-EU-AE' };
    expect(untaxed.taxes).toEqual([{ category: 'AE', rate: '0', netAmount: eur(12000), taxAmount: eur(0), ...why }]);
    const { note: taxNote, exemptionCode: taxExemptionCode } = why;
    expect(untaxed.positions[0]).toMatchObject({ tax: null, taxCategory: 'AE', taxNote, taxExemptionCode });
    const [invoice] = await of(taxed.id, 'TYPE_INVOICE');
    const amounts = { netAmount: eur(12000), taxAmount: eur(2400) };
    expect(invoice.taxes).toEqual([{ category: 'S', rate: '20', ...amounts, note: null, exemptionCode: null }]);
    expect(invoice.positions[0]).toMatchObject({ taxCategory: 'S', taxNote: null, taxExemptionCode: null });
    await tenant.customer({ ...livingIn('AT'), id: taxed.id, vatId: 'ATU12345675', vatIdStatus: 'valid' });
    await tenant.customer({ ...livingIn('AT'), id: free.id, vatId: null, vatIdStatus: 'unchecked' });
    await tenant.charge(before.map((b) => tenant.batch(b.customerId, [creditOf(b.lines[0]!.chargeId, 11671)])));
    expect((await of(taxed.id, 'TYPE_CREDIT'))[0].taxAmount).toEqual(eur(-2334));
    expect((await of(free.id, 'TYPE_CREDIT'))[0].taxAmount).toEqual(eur(0));
  });

  it('in another currency are converted as their line was, whatever the rate is by now', async () => {
    const rated = (date: string, rate: string): Promise<unknown> =>
      tenant.ok('PUT', '/exchange-rates', { rates: [{ date, currencyCode: 'RSD', rate }] });
    const rsd = (amount: number) => ({ amount, currencyCode: 'RSD' });
    const foreign = { netAmount: rsd(12000), unitPrice: rsd(12000), quantity: '1' };
    const customer = await tenant.customer();
    await rated('2020-01-02', '2');
    const batch = tenant.batch(customer.id, [foreign]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    expect(invoice).toMatchObject({ netAmount: eur(6000), applicatedExchangeRates: [{ exchangeRate: '0.5' }] });
    await rated('2020-01-03', '4');
    const credit = (minor: number) => ({
      ...creditOf(batch.lines[0]!.chargeId, minor),
      netAmount: rsd(-minor),
      unitPrice: rsd(minor),
    });
    await tenant.charge([tenant.batch(customer.id, [credit(4000), foreign], { immediate: true })]);
    const [, both] = await of(customer.id, 'TYPE_INVOICE');
    expect(both.positions.map((position: Json) => position.netAmount)).toEqual([eur(-2000), eur(3000)]);
    expect(both.applicatedExchangeRates).toMatchObject([
      { exchangeRate: '0.25', exchangeRateDate: '2020-01-03T00:00:00.000Z' },
      { exchangeRate: '0.5', exchangeRateDate: '2020-01-02T00:00:00.000Z' },
    ]);
    await tenant.charge([tenant.batch(customer.id, [credit(8000)])]);
    const [rest] = await of(customer.id, 'TYPE_CREDIT');
    expect(rest).toMatchObject({ netAmount: eur(-4000), applicatedExchangeRates: [{ exchangeRate: '0.5' }] });
  });

  it('on an invoice they keep their rate beside the new one', async () => {
    const customer = await tenant.customer(livingIn('FR'));
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch]);
    await tenant.customer({ ...livingIn('DE'), id: customer.id });
    const larger = { ...yearly, netAmount: eur(24000), unitPrice: eur(24000) };
    await tenant.charge([
      tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 11671), larger], { immediate: true }),
    ]);
    const [, changed] = await of(customer.id, 'TYPE_INVOICE');
    expect(changed.positions.map((position: Json) => position.taxAmount)).toEqual([eur(-2334), eur(4560)]);
    expect(changed).toMatchObject({ taxAmount: eur(2226), referencedInvoice: null, referencedInvoices: [] });
  });

  it('together credit exactly the tax of their line, in the cents that the invoice had spread', async () => {
    const customer = await tenant.customer();
    const cents = { netAmount: eur(3), unitPrice: eur(3), quantity: '1' };
    const batch = tenant.batch(customer.id, [cents, cents, cents]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    expect(invoice.positions.map((position: Json) => position.taxAmount.amount)).toEqual([1, 1, 0]);
    for (const [line, minor] of [
      [2, 3],
      [0, 1],
      [0, 2],
      [1, 3],
    ] as const)
      await tenant.charge([
        tenant.batch(customer.id, [creditOf(batch.lines[line]!.chargeId, minor)], { immediate: true }),
      ]);
    const credits = await of(customer.id, 'TYPE_CREDIT');
    expect(credits.map((credit) => credit.taxAmount.amount)).toEqual([-0, -0, -1, -1].map((n) => n + 0));
    expect(credits.reduce((sum, credit) => sum + credit.grossAmount.amount, 0)).toBe(-invoice.grossAmount.amount);
  });

  it('in a currency without decimals are issued, and credit all of the tax together', async () => {
    const yen = (amount: number) => ({ amount, currencyCode: 'JPY' });
    const customer = await tenant.customer({ currencyCode: 'JPY' });
    const line = { netAmount: yen(50), unitPrice: yen(50), quantity: '1' };
    const batch = tenant.batch(
      customer.id,
      Array.from({ length: 12 }, () => line),
      { currencyCode: 'JPY' },
    );
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    expect(invoice.taxAmount).toEqual(yen(114));
    // Shares of 10 first, then of 9: each half of them is three yen from its rate.
    for (const half of [batch.lines.slice(0, 6), batch.lines.slice(6)])
      await tenant.charge([
        tenant.batch(
          customer.id,
          half.map(({ chargeId }) => ({ ...creditOf(chargeId, 50), netAmount: yen(-50), unitPrice: yen(50) })),
          { currencyCode: 'JPY', immediate: true },
        ),
      ]);
    const credits = await of(customer.id, 'TYPE_CREDIT');
    expect(credits.map(({ status, taxAmount }) => [status, taxAmount])).toEqual([
      [expect.not.stringMatching('DRAFT'), yen(-57)],
      [expect.not.stringMatching('DRAFT'), yen(-57)],
    ]);
  });

  it('of usage name the later invoice too that has added to it, in another moment or the same', async () => {
    const customer = await tenant.customer();
    const correction = (originalChargeId: string, minor: number): object => ({
      ...creditOf(originalChargeId, -minor),
      kind: 'correction',
      quantity: minor < 0 ? '-1' : '1',
      unitPrice: eur(Math.abs(minor)),
    });
    for (const together of [false, true]) {
      const first = tenant.batch(customer.id, [yearly], { immediate: true });
      const { chargeId } = first.lines[0]!;
      const more = tenant.batch(customer.id, [correction(chargeId, 500)], { immediate: true });
      const less = tenant.batch(customer.id, [correction(chargeId, -12500)], { immediate: true });
      if (together) await tenant.charge([first, more, less]);
      else for (const batch of [first, more, less]) await tenant.charge([batch]);
    }
    const invoices = await of(customer.id, 'TYPE_INVOICE');
    const credits = await of(customer.id, 'TYPE_CREDIT');
    expect(invoices.map(({ referencedInvoices }) => referencedInvoices)).toEqual([[], [], [], []]);
    const named = invoices.map(({ id, number }) => ({ id, number }));
    expect(credits.map(({ referencedInvoices }) => referencedInvoices)).toEqual([named.slice(0, 2), named.slice(2)]);
  });

  it('of lines that are billed in the same moment find them, and several originals are all named, on the file too', async () => {
    const customer = await tenant.customer();
    const batches = [1, 2].map(() => tenant.batch(customer.id, [yearly], { immediate: true }));
    const credit = tenant.batch(
      customer.id,
      batches.map((b) => creditOf(b.lines[0]!.chargeId, 12000)),
      { immediate: true },
    );
    await tenant.charge([...batches, credit]);
    const invoices = await of(customer.id, 'TYPE_INVOICE');
    const [document] = await of(customer.id, 'TYPE_CREDIT');
    const named = invoices.map(({ id, number }) => ({ id, number }));
    expect(document).toMatchObject({ grossAmount: eur(-28560), referencedInvoice: null, referencedInvoices: named });
    const [row] = await world.test.peek<{ snapshot: Json }>(
      'SELECT snapshot FROM document_snapshot WHERE invoice_id = $1',
      [document.id],
    );
    expect(row?.snapshot.referencedDocuments.map((reference: Json) => reference.number)).toEqual(
      named.map(({ number }) => number),
    );
  });

  it('join the draft of what they credit', async () => {
    const customer = await tenant.customer({ ...livingIn('FR'), settings: { manualApproval: true } });
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch, tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 6000)])]);
    const { data } = await tenant.ok('GET', `/invoices?customer=${customer.id}`);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ status: 'STATUS_DRAFT', netAmount: eur(6000), taxAmount: eur(1200) });
  });

  it.each([
    ['with its draft', (draft: Json) => tenant.ok('DELETE', `/invoices/${draft.id}`)],
    ['with its line', (draft: Json) => tenant.ok('DELETE', `/invoice-position-items/${draft.positions[0].id}`)],
    [
      'by other lines',
      (draft: Json) => tenant.ok('PUT', `/invoices/${draft.id}`, { customer: draft.customer.id, positions: [] }),
    ],
  ] as const)('of what was taken off a draft %s, and so never billed, are none', async (_how, remove) => {
    const customer = await tenant.customer({ settings: { manualApproval: true } });
    const batch = tenant.batch(customer.id, [yearly, yearly]);
    await tenant.charge([batch]);
    const [draft] = await of(customer.id, 'TYPE_INVOICE');
    await remove(draft);
    const { id } = await tenant.customer({ id: customer.id, settings: { manualApproval: false } });
    const [first, second] = batch.lines;
    await tenant.charge([tenant.batch(id, [creditOf(first!.chargeId, 6000)], { immediate: true })]);
    expect(await of(id, 'TYPE_CREDIT')).toEqual([]);
    // Usage that comes late is billed all the same.
    const late = { ...yearly, originalChargeId: second!.chargeId };
    await tenant.charge([tenant.batch(id, [creditOf(first!.chargeId, 6000), late], { immediate: true })]);
    const documents = await of(id, 'TYPE_INVOICE');
    expect(documents.at(-1)).toMatchObject({ netAmount: eur(12000), positions: [{ netAmount: eur(12000) }] });
  });

  /** A finalized invoice over one line, and a credit of it for unused time. */
  async function billed(
    line: object = yearly,
  ): Promise<{ customer: Json; invoice: Json; credit: (minor: number) => Json }> {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [line]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    const credit = (minor: number): Json =>
      tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, minor)], { immediate: true });
    return { customer, invoice, credit };
  }
  async function paid({ id }: Json): Promise<void> {
    await world.payments.report(id, { openAmount: eur(0), status: 'succeeded', paidAt: new Date().toISOString() });
    await eventually(async () => (await tenant.ok('GET', `/invoices/${id}`)).status === 'STATUS_PAID');
  }
  const limitsOf = async (invoice: Json): Promise<Json[]> =>
    (await tenant.ok('GET', `/invoices/${invoice.id}/timeline`)).data.flatMap(
      (entry: Json) => entry.metadata.limitedCredits ?? [],
    );

  it('credit what a credit by hand has left, with all of its tax, and the invoice says so', async () => {
    const { customer, invoice, credit } = await billed({ ...yearly, netAmount: eur(10003), unitPrice: eur(10003) });
    const [{ id }] = invoice.positions;
    await tenant.ok('POST', `/invoices/${invoice.id}/credit`, { positions: [{ id, amount: eur(4001) }] });
    await tenant.charge([credit(9000)]);
    const [byHand, automatic] = await of(customer.id, 'TYPE_CREDIT');
    expect(automatic.netAmount).toEqual(eur(-6002));
    const events = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.finalizing.v1' AND aggregate_id = ANY ($1) ORDER BY id`,
      [[byHand.id, automatic.id]],
    );
    expect(events.map(({ payload }) => (JSON.parse(payload) as Json).automatic ?? false)).toEqual([false, true]);
    for (const amount of ['netAmount', 'taxAmount', 'grossAmount'])
      expect(byHand[amount].amount + automatic[amount].amount).toBe(-invoice[amount].amount);
    expect(await limitsOf(invoice)).toEqual([
      { name: expect.any(String), wantedAmount: eur(9000), creditedAmount: eur(6002) },
    ]);
  });

  it.each([
    ['credited', 'credit', {}],
    ['cancelled', 'cancel', {}],
  ])('are no document when all was %s by hand, which the invoice says', async (_, action, body) => {
    const { customer, invoice, credit } = await billed();
    await tenant.ok('POST', `/invoices/${invoice.id}/${action}`, body);
    const before = await tenant.invoices(`&customer=${customer.id}`);
    await tenant.charge([credit(9000)]);
    expect((await tenant.invoices(`&customer=${customer.id}`)).data).toHaveLength(before.data.length);
    expect(await limitsOf(invoice)).toMatchObject([{ wantedAmount: eur(9000), creditedAmount: eur(0) }]);
  });

  it('that are charged anew at the same price are a document over zero: the first invoice has so much less left', async () => {
    const { customer, invoice, credit } = await billed();
    const anew = tenant.batch(customer.id, [...credit(9000).lines, { netAmount: eur(9000), unitPrice: eur(9000) }]);
    await tenant.charge([anew]);
    const [, zero] = await of(customer.id, 'TYPE_INVOICE');
    expect(zero).toMatchObject({ status: 'STATUS_PAID', netAmount: eur(0), grossAmount: eur(0), paymentIntent: null });
    expect(zero.positions.map(({ netAmount }: Json) => netAmount)).toEqual([eur(-9000), eur(9000)]);

    await tenant.charge([tenant.batch(customer.id, [creditOf(anew.lines[1]!.chargeId, 4000)])]);
    const [automatic] = await of(customer.id, 'TYPE_CREDIT');
    expect(automatic).toMatchObject({ netAmount: eur(-4000), referencedInvoice: { id: zero.id } });
    const rest = await tenant.ok('POST', `/invoices/${invoice.id}/credit`);
    expect(rest.netAmount).toEqual(eur(-3000));
  });

  it('leave off the lines of which nothing is left', async () => {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [yearly, yearly]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    const positions = [{ id: invoice.positions[0].id }];
    await tenant.ok('POST', `/invoices/${invoice.id}/credit`, { positions });
    const lines = batch.lines.map((line) => creditOf(line.chargeId, 6000));
    await tenant.charge([tenant.batch(customer.id, lines, { immediate: true })]);
    const [, automatic] = await of(customer.id, 'TYPE_CREDIT');
    expect(automatic).toMatchObject({ netAmount: eur(-6000), taxAmount: eur(-1140), positions: [{ position: 1 }] });
  });

  it('count what was refunded', async () => {
    const { customer, invoice, credit } = await billed();
    await paid(invoice);
    await tenant.ok('POST', `/invoices/${invoice.id}/refund`, { amount: eur(5950) });
    await tenant.charge([credit(12000)]);
    const [automatic] = await of(customer.id, 'TYPE_CREDIT');
    expect(automatic).toMatchObject({ netAmount: eur(-7000), taxAmount: eur(-1330) });
  });

  it('of several invoices lower what can be refunded of each', async () => {
    const customer = await tenant.customer();
    const batches = [1, 2].map(() => tenant.batch(customer.id, [yearly], { immediate: true }));
    await tenant.charge(batches);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    await paid(invoice);
    const lines = batches.map((b) => creditOf(b.lines[0]!.chargeId, 6000));
    await tenant.charge([tenant.batch(customer.id, lines, { immediate: true })]);
    expect((await tenant.ok('POST', `/invoices/${invoice.id}/refund`)).grossAmount).toEqual(eur(-7140));
  });

  it('of one line, twice on a document, are together what is left of it', async () => {
    const customer = await tenant.customer();
    const batch = tenant.batch(customer.id, [yearly]);
    await tenant.charge([batch]);
    const [invoice] = await of(customer.id, 'TYPE_INVOICE');
    const chargeId = batch.lines[0]?.chargeId ?? '';
    const lines = [creditOf(chargeId, 7000), creditOf(chargeId, 7000)];
    await tenant.charge([tenant.batch(customer.id, lines, { immediate: true })]);
    const [automatic] = await of(customer.id, 'TYPE_CREDIT');
    expect(automatic.positions.map((position: Json) => position.netAmount.amount)).toEqual([-7000, -5000]);
    expect(automatic.grossAmount.amount).toBe(-invoice.grossAmount.amount);
  });

  it('and credits by hand, sixteen at once, never exceed the line', async () => {
    const invoices = await Promise.all([1, 2].map(() => billed()));
    const works = Array.from({ length: 16 }, async (_, index) => {
      const { invoice, credit } = invoices[index % 2]!;
      const other = invoices[(index + 1) % 2]!;
      if (index % 4 < 2) return tenant.charge([credit(2000), other.credit(2000)]);
      const positions = [{ id: invoice.positions[0].id, amount: eur(2000) }];
      const { status, body } = await tenant.send('POST', `/invoices/${invoice.id}/credit`, { positions });
      if (status !== 201) expect(body).toMatchObject({ reason: 'credit_exceeds_rest' });
    });
    await Promise.all(works);
    for (const { customer, invoice } of invoices) {
      const credits = await of(customer.id, 'TYPE_CREDIT');
      const sum = (amount: string): number => credits.reduce((total, credit) => total + credit[amount].amount, 0);
      expect(sum('netAmount')).toBe(-invoice.netAmount.amount);
      expect(sum('taxAmount')).toBe(-invoice.taxAmount.amount);
    }
  });

  it('that exceed a line are found by the invariants', async () => {
    const { customer, credit } = await billed();
    await tenant.charge([credit(12000)]);
    const [automatic] = await of(customer.id, 'TYPE_CREDIT');
    expect(await world.broken()).toEqual([]);
    const change = async (minor: number): Promise<void> => {
      await world.test.peek('ALTER TABLE invoice_position DISABLE TRIGGER USER');
      await world.test.peek(
        `UPDATE invoice_position SET net_minor = $2::bigint, gross_minor = $2::bigint - discount_minor + tax_minor
         WHERE invoice_id = $1`,
        [automatic.id, minor],
      );
      await world.test.peek('ALTER TABLE invoice_position ENABLE TRIGGER USER');
    };
    await change(-12001);
    expect((await world.broken()).some((line) => line.includes('what credits a position'))).toBe(true);
    await change(-12000);
  });
});
