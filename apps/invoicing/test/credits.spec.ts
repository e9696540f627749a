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

  it('credit tax although the VAT id is valid by now, and none where none was billed', async () => {
    const taxed = await tenant.customer({ ...livingIn('AT'), vatId: 'ATU12345675', vatIdStatus: 'unavailable' });
    const free = await tenant.customer({ ...livingIn('AT'), vatId: 'ATU12345675', vatIdStatus: 'valid' });
    const before = [tenant.batch(taxed.id, [yearly]), tenant.batch(free.id, [yearly])];
    await tenant.charge(before);
    await tenant.customer({ ...livingIn('AT'), id: taxed.id, vatId: 'ATU12345675', vatIdStatus: 'valid' });
    await tenant.customer({ ...livingIn('AT'), id: free.id, vatId: null, vatIdStatus: 'unchecked' });
    await tenant.charge(before.map((b) => tenant.batch(b.customerId, [creditOf(b.lines[0]!.chargeId, 11671)])));
    expect((await of(taxed.id, 'TYPE_CREDIT'))[0].taxAmount).toEqual(eur(-2334));
    expect((await of(free.id, 'TYPE_CREDIT'))[0].taxAmount).toEqual(eur(0));
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
});
