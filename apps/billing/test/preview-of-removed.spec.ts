import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BilledTaxes } from '../src/preview/billed-taxes.js';
import { Billing } from './support/billing.js';
import { World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterAll(async () => billing?.stop());

it('a preview credits nothing of a charge that was taken off its draft, and so never billed', async () => {
  const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
  const yearly = await world.price({ price: { amount: 12_000 }, billingInterval: '1Y' });
  const { id } = await world.subscribe(await world.customer(), yearly);
  await world.advance('2026-03-11T09:00:00.000Z');
  await world.settle(await world.batches());
  await world.ok('PUT', `/subscriptions/${id}/cancel`, { cancellationDateType: 'immediate' });
  const preview = (): Promise<{ netAmount: { amount: number }; positions: unknown[] }> =>
    world.ok('POST', `/subscriptions/${id}/preview-invoice`);
  expect((await preview()).netAmount.amount).toBeLessThan(0);

  const taxes = billing.test.service.get(BilledTaxes) as BilledTaxes;
  const { read } = taxes;
  const asked: string[] = [];
  taxes.read = (_, ids) => {
    asked.push(...ids);
    return Promise.resolve(new Map(ids.map((chargeId) => [chargeId, 'removed'])));
  };
  expect(await preview()).toMatchObject({ netAmount: { amount: 0 }, positions: [] });
  expect(asked).toEqual((await world.batches())[0]!.lines.map(({ chargeId }) => chargeId));
  taxes.read = read;
});

it.each([['active'], ['cancelled']])(
  'a preview of what is terminated while it is %s promises nothing',
  async (status) => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const yearly = await world.price({ price: { amount: 12_000 }, billingInterval: '1Y' });
    const arrears = await world.price({ payInAdvance: false });
    const customer = await world.customer();
    const { id } = await world.subscribe(customer, yearly, {
      items: [{ pricePlan: yearly }, { pricePlan: arrears }],
    });
    await world.advance('2026-03-11T09:00:00.000Z');
    if (status === 'cancelled')
      await world.ok('PUT', `/subscriptions/${id}/cancel`, { cancellationDateType: 'immediate' });
    await world.ok('PUT', `/subscriptions/${id}/terminate`);
    const previews = () => world.ok('POST', `/subscriptions/${id}/preview-invoice`);
    expect(await previews()).toMatchObject({ billingDate: null, netAmount: { amount: 0 }, positions: [] });
    const before = (await world.batches()).length;
    await world.advance('2026-05-11T09:00:00.000Z');
    expect(await world.batches()).toHaveLength(before);
  },
);

it('a preview of what ends while it is paused credits all from the beginning of the pause, as it is billed then', async () => {
  const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
  const yearly = await world.price({ price: { amount: 36_500 }, billingInterval: '1Y' });
  const arrears = await world.price({ payInAdvance: false, price: { amount: 31_00 } });
  const { id } = await world.subscribe(await world.customer(), yearly, {
    items: [{ pricePlan: yearly }, { pricePlan: arrears }],
  });
  await world.advance('2026-04-11T09:00:00.000Z');
  await world.settle(await world.batches());
  const before = (await world.batches()).length;
  await world.ok('PUT', `/subscriptions/${id}/pause`);
  await world.ok('PUT', `/subscriptions/${id}/cancel`, {
    cancellationDateType: 'custom',
    cancellationDate: '2026-06-01T10:00:00.000Z',
  });
  const preview = await world.ok('POST', `/subscriptions/${id}/preview-invoice`);
  expect(await world.ok('GET', `/subscriptions/${id}`)).toMatchObject({ status: 'paused' });
  expect(preview.billingDate).toBe('2026-05-31T22:00:00.000Z');
  await world.advance('2026-06-02T09:00:00.000Z');
  const lines = (await world.batches()).slice(before).flatMap((batch) => batch.lines);
  expect(lines.map(({ netAmount }) => netAmount.amount).sort()).toEqual(
    preview.positions.map(({ netAmount }: { netAmount: { amount: number } }) => netAmount.amount).sort(),
  );
  expect(preview.positions).toHaveLength(2);
});
