import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: { applyCreditAutomatically: true } });
});
afterAll(() => world.stop());

const LAST_DAY = '2199-05-01T00:00:00.000Z';
const ACCOUNT = { iban: 'DE02120300000000202051', accountHolder: 'Ada' };

/** An invoice of 119.00: 40.00 are paid by promotional credit that ends, 20.00 by credit that does not, 59.00 by a transfer. */
async function paidThreeWays(): Promise<{ customerId: string; invoiceId: string }> {
  const customerId = await tenant.customer();
  const bank = await tenant.method(customerId);
  await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: ACCOUNT });
  const gift = { customerId, currencyCode: 'EUR', description: 'gift' };
  await tenant.ok('POST', '/api/wallet/adjustments', { ...gift, amount: 20 });
  await tenant.ok('POST', '/api/wallet/adjustments', { ...gift, amount: 40, promotional: true, expiresAt: LAST_DAY });
  const [invoiceId] = await tenant.finalize({ customerId, gross: 11900 });
  await tenant.record(invoiceId!, bank.id);
  expect(await tenant.balance(customerId)).toBe(0);
  return { customerId, invoiceId: invoiceId! };
}

/** What is left of plain and of promotional credit, minor units. */
async function creditOf(customerId: string): Promise<{ plain: number; promotional: number }> {
  const rows = await tenant.rows<{ promotional: boolean; ends: Date | null; minor: string }>(
    `SELECT l.promotional, l.expires_at AS ends, sum(l.remaining_minor)::int8 AS minor FROM wallet_lot l
     JOIN wallet w ON w.tenant_id = l.tenant_id AND w.id = l.wallet_id WHERE w.customer_id = $1 GROUP BY 1, 2`,
    [customerId],
  );
  for (const { promotional, ends } of rows) expect(ends?.toISOString() ?? null).toBe(promotional ? LAST_DAY : null);
  const of = (wanted: boolean): number => Number(rows.find(({ promotional }) => promotional === wanted)?.minor ?? 0);
  return { plain: of(false), promotional: of(true) };
}

const refund = { type: 'TYPE_REFUND' };

it('keeps its last day, and is promotional as before; what is used first returns last', async () => {
  const { customerId, invoiceId } = await paidThreeWays();
  await tenant.creditNote(customerId, invoiceId, 7000, refund);
  expect(await creditOf(customerId)).toEqual({ plain: 1100, promotional: 0 });
  await tenant.creditNote(customerId, invoiceId, 2000, refund);
  expect(await creditOf(customerId)).toEqual({ plain: 2000, promotional: 1100 });
  await tenant.creditNote(customerId, invoiceId, 2900, refund);
  expect(await creditOf(customerId)).toEqual({ plain: 2000, promotional: 4000 });
  expect(await tenant.broken()).toEqual([]);
});

it.each([
  ['wallet', 5900],
  ['refund', 0],
] as const)('also by a credit note (%s) and the cancellation that follows', async (disposition, money) => {
  const { customerId, invoiceId } = await paidThreeWays();
  await tenant.creditNote(customerId, invoiceId, 9000, { disposition });
  expect(await creditOf(customerId)).toEqual({ plain: money + 2000, promotional: 1100 });
  await tenant.creditNote(customerId, invoiceId, 2900, { type: 'TYPE_CANCEL' });
  expect(await creditOf(customerId)).toEqual({ plain: money + 2000, promotional: 4000 });
  expect(await tenant.broken()).toEqual([]);
});

it('leaves with its credit note when that is cancelled', async () => {
  const { customerId, invoiceId } = await paidThreeWays();
  const note = await tenant.creditNote(customerId, invoiceId, 9000, { disposition: 'wallet' });
  await tenant.creditNote(customerId, note, -9000, { type: 'TYPE_CANCEL' });
  expect(await creditOf(customerId)).toEqual({ plain: 0, promotional: 0 });
  await tenant.creditNote(customerId, invoiceId, 11900, { type: 'TYPE_CANCEL' });
  expect(await creditOf(customerId)).toEqual({ plain: 7900, promotional: 4000 });
  expect(await tenant.broken()).toEqual([]);
});

it.each([6000, 7000, 3000])(
  'is no money to be sent out: a refund of %d stops where the payment goes back',
  async (gross) => {
    const { customerId, invoiceId } = await paidThreeWays();
    const id = await tenant.creditNote(customerId, invoiceId, gross, refund);
    const credit = Math.max(0, gross - 5900);
    const waiting = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`);
    expect(waiting.data).toMatchObject([{ status: 'pending', amount: { amount: gross - credit } }]);
    const payments = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`);
    const [payment] = payments.data as Json[];
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'recalled' });
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`);
    expect(data).toMatchObject([{ status: 'failed' }]);
    expect((await tenant.intent(id)).openAmount.amount).toBe(0);
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(5900 - (gross - credit));
    expect(await tenant.balance(customerId)).toBe(credit);
    expect(await tenant.broken()).toEqual([]);
  },
);

it('comes after the money also where a refund is to be credit', async () => {
  const { customerId, invoiceId } = await paidThreeWays();
  const { id: wallet } = await tenant.method(customerId, 'wallet', { isDefault: false });
  await tenant.creditNote(customerId, invoiceId, 3000, { ...refund, paymentMethodId: wallet });
  expect(await creditOf(customerId)).toEqual({ plain: 3000, promotional: 0 });
  await tenant.creditNote(customerId, invoiceId, 5000, { ...refund, paymentMethodId: wallet });
  expect(await creditOf(customerId)).toEqual({ plain: 7900, promotional: 100 });
  await tenant.creditNote(customerId, invoiceId, 3900, refund);
  expect(await creditOf(customerId)).toEqual({ plain: 7900, promotional: 4000 });
  expect(await tenant.broken()).toEqual([]);
});

it.each([
  ['that waits for its pay-out', false],
  ['that was paid out', true],
])('comes back after a refund by bank %s: a credit note has no money of that any more', async (_, isOut) => {
  const { customerId, invoiceId } = await paidThreeWays();
  const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
  const refunded = await tenant.creditNote(customerId, invoiceId, 5000, { ...refund, paymentMethodId: bank.id });
  if (isOut) await tenant.record(refunded, bank.id);
  await tenant.creditNote(customerId, invoiceId, 5000, { disposition: 'wallet' });
  expect(await creditOf(customerId)).toEqual({ plain: 2900, promotional: 2100 });
  await tenant.creditNote(customerId, invoiceId, 1900, { type: 'TYPE_CANCEL' });
  expect(await creditOf(customerId)).toEqual({ plain: 2900, promotional: 4000 });
  expect(await tenant.broken()).toEqual([]);
});
