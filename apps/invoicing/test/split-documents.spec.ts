import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChargesDue, type CustomerState, exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually, faultsOf, hasValidators, startValidators, type Validators } from '@kontor/testing';
import { eur, seller, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

interface Moved {
  readonly customer: CustomerState;
  readonly batch: ChargesDue;
  /** Id of what was billed before. */
  readonly original: string;
}

const itOnValidators = (await hasValidators()) ? it : it.skip;

/** EN 16931 BR-O-11 to 14: what is outside the scope of VAT stands on an invoice of its own. */
describe('lines outside the scope of VAT beside others', () => {
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

  const inCountry = (countryCode: string, change: Partial<CustomerState> = {}): Promise<CustomerState> =>
    tenant.customer({ countryCode, addresses: [{ ...exampleAddress, id: newUuid(), countryCode }], ...change });
  const settled = async ({ batchId }: ChargesDue): Promise<Json> => {
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.charges.settled.v1' AND aggregate_id = $1`,
      [batchId],
    );
    expect(rows).toHaveLength(1);
    return JSON.parse(rows[0]!.payload);
  };
  const ofCustomer = async ({ id }: CustomerState): Promise<Json[]> =>
    (await tenant.ok('GET', `/invoices?customer=${id}&order[creationDate]=asc`)).data;
  const since = async ({ customer, original }: Moved): Promise<Json[]> =>
    (await ofCustomer(customer)).filter(({ id }) => id !== original);
  const outside = (documents: Json[]): Json => documents.find(({ taxes }) => taxes[0].category === 'O');
  const others = (documents: Json[]): Json => documents.find(({ taxes }) => taxes[0].category !== 'O');
  const shown = (document: Json): Json => [
    document.type,
    ...[document.netAmount, document.discountAmount, document.taxAmount, document.grossAmount].map(
      (money) => (money?.amount ?? null) as number | null,
    ),
    document.positions.map(({ name, taxCategory, taxAmount }: Json) => [name, taxCategory, taxAmount.amount]),
  ];

  /** Billed outside the scope; then its customer is in Germany, and changes. */
  const moved = async (change: Partial<ChargesDue> = {}): Promise<Moved> => {
    const { id } = await inCountry('CH');
    const first = tenant.batch(id, [{ name: 'Small', netAmount: eur(10001), unitPrice: eur(10001), quantity: '1' }]);
    await tenant.charge([first]);
    const customer = await inCountry('DE', { id });
    const { subscriptionId, chargeId } = first.lines[0]!;
    const batch = tenant.batch(
      id,
      [
        {
          name: 'Small',
          kind: 'credit',
          quantity: '-1',
          unitPrice: eur(6667),
          netAmount: eur(-6667),
          originalChargeId: chargeId,
          subscriptionId,
        },
        {
          name: 'Large',
          quantity: '1',
          unitPrice: eur(13335),
          netAmount: eur(13335),
          discountAmount: eur(33),
          subscriptionId,
        },
        { name: 'Setup', quantity: '1', unitPrice: eur(1997), netAmount: eur(1997), subscriptionId },
      ],
      { billingDay: '2026-03-02', ...change },
    );
    return { customer, batch, original: (await settled(first)).invoiceId };
  };

  it('a customer that moved to Germany gets a credit note and an invoice, to the cent what the lines are', async () => {
    const story = await moved({ immediate: true, invoiceId: newUuid() });
    const { batch } = story;
    await tenant.charge([batch]);
    const documents = await since(story);
    expect(documents).toHaveLength(2);
    expect(shown(outside(documents))).toEqual(['TYPE_CREDIT', -6667, null, 0, -6667, [['Small', 'O', 0]]]);
    // 19 % of 13,302 are 2,527.38, of 1,997 are 379.43, of both 2,906.81.
    expect(shown(others(documents))).toEqual([
      'TYPE_INVOICE',
      15299,
      33,
      2907,
      18206,
      [
        ['Large', 'S', 2527],
        ['Setup', 'S', 380],
      ],
    ]);
    expect(documents.map(({ number }) => number)).not.toContain(null);
    expect(others(documents).id).toBe(batch.invoiceId);
    expect(await settled(batch)).toMatchObject({ invoiceId: batch.invoiceId, blockedReason: null });
    for (const { id } of documents) {
      const run = await tenant.ok('GET', `/invoices/${id}/billing-run`);
      expect(run).toMatchObject({ id: batch.runId, batches: [{ id: batch.batchId }] });
      // It has its number before its files are written, and is finalized after that.
      await eventually(async () => {
        const types = (await tenant.notices(id)).map(({ type }) => type);
        return types.slice(0, 2).join() === 'invoice.created,invoice.finalized';
      });
    }
    const found = await tenant.ok('GET', `/invoices?subscription=${batch.lines[0]!.subscriptionId}`);
    expect(found.data).toHaveLength(3);
    // The same event once more changes nothing.
    await tenant.charge([batch]);
    expect(await since(story)).toHaveLength(2);
  });

  it('goods and services for Switzerland are an invoice each; of several batches each has the document of its lines', async () => {
    const customer = await inCountry('CH');
    const [both, service] = [tenant.batch(customer.id, [{ isGood: true }, {}]), tenant.batch(customer.id)];
    const another = await inCountry('DE');
    const plain = tenant.batch(another.id);
    await tenant.charge([both, plain, service]);
    const documents = await ofCustomer(customer);
    expect(documents.map(({ taxes, netAmount }) => [taxes[0].category, netAmount.amount]).sort()).toEqual([
      ['G', 3000],
      ['O', 6000],
    ]);
    expect(await settled(both)).toMatchObject({ invoiceId: others(documents).id, blockedReason: null });
    expect(await settled(service)).toMatchObject({ invoiceId: outside(documents).id, blockedReason: null });
    expect((await ofCustomer(another)).map(({ number }) => number)).toEqual([expect.any(String)]);
  });

  it('what is worth nothing is no document, and what is left of it is answered', async () => {
    const story = await moved({ immediate: true, invoiceId: newUuid() });
    const { batch } = story;
    const [credit, ...charged] = batch.lines;
    const free = charged.map((line) => ({ ...line, netAmount: eur(0), unitPrice: eur(0), discountAmount: null }));
    await tenant.charge([{ ...batch, lines: [credit!, ...free] }]);
    const documents = await since(story);
    expect(documents.map(shown)).toEqual([['TYPE_CREDIT', -6667, null, 0, -6667, [['Small', 'O', 0]]]]);
    expect(documents[0].id).toBe(batch.invoiceId);
    expect(await settled(batch)).toMatchObject({ invoiceId: batch.invoiceId });
  });

  it('without e-invoices they are one document', async () => {
    await tenant.settings({ eInvoiceEnabled: false });
    const story = await moved();
    const { batch } = story;
    await tenant.charge([batch]);
    await tenant.settings({});
    const documents = await since(story);
    expect(documents.map(({ grossAmount }) => grossAmount.amount)).toEqual([18206 - 6667]);
  });

  it('with manual approval they are two drafts, and further lines of the day join the right ones', async () => {
    const customer = await inCountry('CH', { settings: { manualApproval: true } });
    const [service, goods, more] = [false, true, true].map((isGood) => tenant.batch(customer.id, [{ isGood }]));
    await tenant.charge([service!]);
    // The open draft has services only: they leave it when goods join.
    await tenant.charge([goods!]);
    await tenant.charge([more!]);
    const drafts = await ofCustomer(customer);
    expect(drafts.map(({ status, taxes, netAmount }) => [status, taxes[0].category, netAmount.amount]).sort()).toEqual([
      ['STATUS_DRAFT', 'G', 6000],
      ['STATUS_DRAFT', 'O', 3000],
    ]);
    for (const [{ lines }, draft] of [
      [service!, outside(drafts)],
      [goods!, others(drafts)],
      [more!, others(drafts)],
    ] as const) {
      const found = await tenant.ok('GET', `/invoices?subscription=${lines[0]!.subscriptionId}`);
      expect(found.data.map(({ id }: Json) => id as string)).toEqual([draft.id]);
    }
    for (const { id } of drafts)
      expect(await tenant.ok('POST', `/invoices/${id}/finalize`)).toMatchObject({ number: expect.any(String) });
  });

  it('a draft that had to wait is parted when it is tried again', async () => {
    const story = await moved();
    const { batch } = story;
    await tenant.settings({ seller: { ...seller, company: null } });
    await tenant.charge([batch]);
    expect(await settled(batch)).toMatchObject({ blockedReason: 'seller_data_incomplete' });
    expect(await since(story)).toHaveLength(1);
    await tenant.settings({});
    await tenant.ok('PUT', '/exchange-rates', { rates: [{ date: '2026-02-20', currencyCode: 'XPF', rate: '119.33' }] });
    const documents = await eventually(async () => {
      const found = await since(story);
      return found.length === 2 && found.every(({ number }) => number !== null) && found;
    }, 'two documents');
    expect(documents.map(({ grossAmount }) => grossAmount.amount).sort()).toEqual([-6667, 18206]);
    for (const { id } of documents)
      expect(await tenant.ok('GET', `/invoices/${id}/billing-run`)).toMatchObject({ batches: [{ id: batch.batchId }] });
  });

  itOnValidators(
    'each of the two is an e-invoice for the official validators',
    async () => {
      const validators: Validators = await startValidators();
      try {
        const story = await moved();
        const { batch } = story;
        await tenant.charge([batch]);
        const swiss = await inCountry('CH');
        await tenant.charge([tenant.batch(swiss.id, [{ isGood: true }, {}])]);
        const documents = [...(await since(story)), ...(await ofCustomer(swiss))];
        expect(documents).toHaveLength(4);
        for (const { id } of documents)
          for (const kind of ['cii', 'ubl'] as const) {
            const { body } = await tenant.send('GET', `/invoices/${id}/xml?syntax=${kind}`);
            expect(faultsOf(await validators.check(kind, Buffer.from(body as string)))).toEqual([]);
          }
      } finally {
        await validators.stop();
      }
    },
    240_000,
  );
});
