import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CustomerState, exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eur, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

const FORMER = 'FR40303265045';

/** EN 16931 BR-AE-02: an invoice on which the recipient owes the tax names its VAT id. */
describe('what was billed by a VAT id that the recipient has no more', () => {
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

  const living = (countryCode: string, vatId: string | null, id = newUuid()): Promise<CustomerState> =>
    tenant.customer({
      id,
      countryCode,
      vatId,
      vatIdStatus: vatId === null ? 'unchecked' : 'valid',
      addresses: [{ ...exampleAddress, vatId: null, id: newUuid(), countryCode }],
    });
  const named = async ({ id }: Json): Promise<string | null> => {
    const rows = await world.test.peek<{ snapshot: Json }>(
      'SELECT snapshot FROM document_snapshot WHERE invoice_id = $1',
      [id],
    );
    return rows[0]!.snapshot.recipient.vatId;
  };
  const billed = async (): Promise<{ id: string; invoice: Json }> => {
    const { id } = await living('FR', FORMER);
    const draft = await tenant.draft(id);
    const invoice = await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    expect(invoice).toMatchObject({ status: 'STATUS_UNPAID', taxAmount: eur(0) });
    return { id, invoice };
  };

  it.each([
    ['moved to Germany', 'DE', null],
    ['moved to Austria, with a VAT id from there', 'AT', 'ATU12345678'],
  ])('is credited and cancelled by it when who has it has %s', async (_name, countryCode, vatId) => {
    const { id, invoice } = await billed();
    await living(countryCode, vatId, id);
    const part = { reason: 'other', positions: [{ id: invoice.positions[0].id, amount: eur(100) }] };
    for (const [action, body] of [
      ['credit', part],
      ['cancel', {}],
    ] as const) {
      const document = await tenant.ok('POST', `/invoices/${invoice.id}/${action}`, body);
      expect(document).toMatchObject({ taxAmount: eur(0), invoiceAddress: { countryCode: 'FR' } });
      expect(await named(document)).toBe(FORMER);
    }
  });

  it.each([
    ['moved', 'DE', null, FORMER],
    ['another one', 'AT', 'ATU12345678', 'ATU12345678'],
  ])('is credited by a run beside what is charged now: %s', async (_name, countryCode, vatId, expected) => {
    const { id } = await living('FR', FORMER);
    const first = tenant.batch(id, [{ name: 'Small', netAmount: eur(10000), unitPrice: eur(10000), quantity: '1' }]);
    await tenant.charge([first]);
    await living(countryCode, vatId, id);
    const { subscriptionId, chargeId } = first.lines[0]!;
    const back = { kind: 'credit', quantity: '-1', unitPrice: eur(4000), netAmount: eur(-4000) } as const;
    const lines = [
      { ...back, name: 'Small', originalChargeId: chargeId, subscriptionId },
      { name: 'Large', quantity: '1', unitPrice: eur(9000), netAmount: eur(9000), subscriptionId },
    ];
    await tenant.charge([tenant.batch(id, lines, { billingDay: '2026-03-02' })]);
    const documents = (await tenant.ok('GET', `/invoices?customer=${id}&order[creationDate]=asc`)).data;
    expect(documents.map(({ number }: Json) => number)).not.toContain(null);
    expect(documents[1].positions.map(({ taxCategory }: Json) => taxCategory)).toEqual([
      'AE',
      vatId === null ? 'S' : 'AE',
    ]);
    expect(await named(documents[1])).toBe(expected);
  });

  it('is named on nothing else', async () => {
    const { id } = await billed();
    await living('DE', null, id);
    const draft = await tenant.draft(id);
    expect(await named(await tenant.ok('POST', `/invoices/${draft.id}/finalize`))).toBeNull();
  });
});
