import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { position, type Tenant, World } from './support/world.js';

describe('VAT that is owed in another country of the EU', () => {
  let world: World;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant({ settings: { oss: true } });
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const consumerIn = (countryCode: string) =>
    tenant.customer({
      vatId: null,
      vatIdStatus: 'unchecked',
      addresses: [{ ...exampleAddress, id: newUuid(), countryCode }],
    });
  const invoiceTo = async (customerId: string) => {
    const { id } = await tenant.draft(customerId, position());
    return tenant.ok('POST', `/invoices/${id}/finalize`);
  };
  const reportedTaxes = async (id: string): Promise<string[]> => {
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type IN ('invoicing.invoice.finalizing.v1', 'invoicing.invoice.closed.v1')
         AND aggregate_id = $1 ORDER BY id`,
      [id],
    );
    type Reported = { taxes: { rate: string; destination?: string }[] };
    return rows.flatMap(({ payload }) =>
      (JSON.parse(payload) as Reported).taxes.map(({ rate, destination }) => `${rate} ${destination ?? '-'}`),
    );
  };

  it('is reported to the books with its country, for what takes it back as well', async () => {
    const { id: customerId } = await consumerIn('AT');
    const invoice = await invoiceTo(customerId);
    expect(Object.keys(invoice.positions[0].tax).sort()).toEqual(['code', 'description', 'id', 'rate']);
    const [line] = invoice.positions as { id: string }[];
    const part = { positions: [{ id: line?.id, amount: 1 }] };
    const credit = await tenant.ok('POST', `/invoices/${invoice.id}/credit`, part);
    await tenant.ok('PUT', `/invoices/${invoice.id}/close`, { reason: 'insolvent' });
    const cancelled = await invoiceTo(customerId);
    const cancellation = await tenant.ok('POST', `/invoices/${cancelled.id}/cancel`);
    expect(await reportedTaxes(invoice.id)).toEqual(['20 AT', '20 AT']);
    expect(await reportedTaxes(credit.id)).toEqual(['20 AT']);
    expect(await reportedTaxes(cancellation.id)).toEqual(['20 AT']);
  });

  it('is distinct from German VAT of the same rate, which has no such country', async () => {
    const abroad = await invoiceTo((await consumerIn('CY')).id);
    const domestic = await invoiceTo((await consumerIn('DE')).id);
    expect(await reportedTaxes(abroad.id)).toEqual(['19 CY']);
    expect(await reportedTaxes(domestic.id)).toEqual(['19 -']);
  });
});
