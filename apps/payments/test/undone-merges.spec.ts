import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { completeMerge, completeUndo, type CustomerMerge, recordMerge, recordUndo } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { eventually } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { bankAccount, importFile } from './bank-world.js';
import { camt } from './statements/make-camt.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: { creditOverpayments: true, applyCreditAutomatically: true } });
});
afterAll(() => world.stop());

const mover = (): CustomerMover => world.service.get(CustomerMover as never);

async function merge(sourceCustomerId: string, targetCustomerId: string): Promise<CustomerMerge> {
  return world.database.tenant(tenant.id, async (tx) => {
    const merged = await recordMerge(tx, { mergeId: newUuid(), sourceCustomerId, targetCustomerId });
    const moved = await mover().moveInTurn(tx, merged);
    if (moved === 'busy') throw new Error('something is under way');
    await completeMerge(tx, merged, moved);
    return merged;
  });
}

const undo = ({ mergeId }: CustomerMerge): Promise<unknown> =>
  world.database.tenant(tenant.id, async (tx) => {
    const merged = (await recordUndo(tx, mergeId))!;
    const returned = await mover().undo(tx, merged);
    if (returned !== 'busy') await completeUndo(tx, merged);
    return returned;
  });

const cancel = async (customerId: string, invoiceId: string, gross: number): Promise<void> => {
  const now = new Date();
  const event = tenant.event({ customerId, gross: -gross, type: 'TYPE_CANCEL' }, now);
  const events = [{ ...event, payload: { ...event.payload, referencedInvoiceId: invoiceId } }];
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
};

it('ends also where credit was used for both after it was looked at: that, and what it has paid, stays with the target', async () => {
  const [target, source] = [await tenant.customer(), await tenant.customer()];
  const bank = await tenant.method(source);
  const gift = { customerId: source, amount: 50, currencyCode: 'EUR', description: 'Kulanz' };
  await tenant.ok('POST', '/api/wallet/adjustments', gift);
  const [byCredit] = await tenant.finalize({ customerId: source, gross: 5000 });
  const [overpaid] = await tenant.finalize({ customerId: source, gross: 10000 });
  const { body } = await tenant.record(overpaid!, bank.id, { amount: { amount: 12000, currencyCode: 'EUR' } });
  const [unpaid] = await tenant.finalize({ customerId: source, gross: 7000 });
  expect(await tenant.intent(unpaid!)).toMatchObject({ openAmount: { amount: 5000 } });
  const [alone] = await tenant.finalize({ customerId: source, gross: 3000 });

  const merged = await merge(source, target);
  const conflicts = () =>
    world.database.tenant(tenant.id, (tx) => mover().undoConflicts(tx, merged), { readOnly: true });
  expect(await conflicts()).toEqual([]);
  await cancel(source, byCredit!, 5000);
  expect(await conflicts()).toMatchObject([{ code: 'credit_used' }]);
  expect(await undo(merged)).not.toBe('busy');
  expect(await tenant.broken()).toEqual([]);

  const owed = async (): Promise<Record<string, number>> => {
    const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
    const receivables = data.filter(({ code }: Json) => code === 'receivable');
    return Object.fromEntries(receivables.map((account: Json) => [account.customerId, account.balance.amount]));
  };
  // The credit that came back has paid what was still open of the document that other credit had paid a part of.
  expect(await owed()).toEqual({ [source]: 3000, [target]: 0 });
  expect(await tenant.intent(alone!)).toMatchObject({ customerId: source, openAmount: { amount: 3000 } });
  const [later] = await tenant.finalize({ customerId: source, gross: 1000 });
  expect(await owed()).toEqual({ [source]: 4000, [target]: 0 });

  // What happens to what has stayed, and to what has not, is found by the documents.
  await tenant.ok('POST', `/payment/transactions/${(body as Json).transactionId}/return`, { reason: 'recalled' });
  expect(await owed()).toEqual({ [source]: 4000, [target]: 12000 });
  for (const [id, gross] of [[unpaid, 7000], [alone, 3000], [overpaid, 10000], [later, 1000]] as const)
    await cancel(source, id!, gross); // prettier-ignore
  expect(await owed()).toEqual({ [source]: 0, [target]: 0 });
  await tenant.ok('POST', '/api/wallet/adjustments', { ...gift, amount: 5 });
  expect(await tenant.balance(source)).toBe(500);
  expect(await tenant.broken()).toEqual([]);
});

it('and the merge before do not wait for a transfer that may never come: its top-up goes with its customer', async () => {
  const [target, source] = [await tenant.customer(), await tenant.customer()];
  const bank = await tenant.method(source);
  const ordered = { customerId: source, amount: 20, currencyCode: 'EUR', paymentMethodId: bank.id };
  const topUp = await tenant.ok('POST', '/api/wallet/top-up', ordered);
  expect(topUp).toMatchObject({ status: 'pending' });
  const merged = await merge(source, target);
  const owned = async (): Promise<string> => (await tenant.ok('GET', `/api/wallet/top-ups/${topUp.id}`)).customerId;
  expect(await owned()).toBe(target);
  expect(await undo(merged)).not.toBe('busy');
  expect(await owned()).toBe(source);

  await merge(source, target);
  await tenant.ok('POST', `/api/wallet/top-ups/${topUp.id}/confirm`, {});
  expect([await tenant.balance(target), await tenant.balance(source)]).toEqual([2000, 0]);
  expect(await tenant.broken()).toEqual([]);
});

it('what was paid out between the two, and comes back, is owed to whose document it is again', async () => {
  tenant = await world.tenant({ features: [], settings: {} });
  const account = await bankAccount(tenant);
  const [target, source] = [await tenant.customer(), await tenant.customer()];
  const number = 'GS-2026-91001';
  const [note] = await tenant.finalize({ customerId: source, gross: -8000, number });
  const merged = await merge(source, target);
  const line = { amount: '80.00', endToEnd: 'OUT-1', text: number };
  await importFile(tenant, account, camt([{ ...line, debit: true }]));
  expect(await tenant.intent(note!)).toMatchObject({ status: 'succeeded' });
  expect(await undo(merged)).not.toBe('busy');
  await importFile(tenant, account, camt([{ ...line, day: '2026-11-24', returnCode: 'AC04' }]));
  expect(await tenant.intent(note!)).toMatchObject({ status: 'failed', openAmount: { amount: -8000 } });
  expect(await tenant.broken()).toEqual([]);
});

it.each<[string, 'before' | 'after']>([
  ['after the merge was undone', 'after'],
  ['before the merge was undone', 'before'],
])('so is what went out for documents of both, reported %s, and its line confirms that', async (_when, when) => {
  tenant = await world.tenant({ features: [], settings: {} });
  const account = await bankAccount(tenant);
  const [target, source] = [await tenant.customer(), await tenant.customer()];
  const numbers = ['GS-2026-91011', 'GS-2026-91012'];
  const notes = await tenant.finalize(
    { customerId: source, gross: -3000, number: numbers[0]! },
    { customerId: target, gross: -5000, number: numbers[1]! },
  );
  const merged = await merge(source, target);
  const line = { amount: '80.00', endToEnd: 'OUT-1', text: numbers.join(' ') };
  await importFile(tenant, account, camt([{ ...line, debit: true }]));
  const { data: refunds } = await tenant.ok('GET', '/payment/transactions?type=refund');
  expect(refunds).toMatchObject([{ intents: [{}, {}] }]);
  if (when === 'after') expect(await undo(merged)).not.toBe('busy');
  await tenant.ok('POST', `/payment/transactions/${refunds[0].id}/return`, { reason: 'account closed' });
  if (when === 'before') expect(await undo(merged)).not.toBe('busy');
  for (const confirmed of [false, true]) {
    if (confirmed) await importFile(tenant, account, camt([{ ...line, day: '2026-11-24', returnCode: 'AC04' }]));
    expect(await tenant.intent(notes[0]!)).toMatchObject({ customerId: source, openAmount: { amount: -3000 } });
    expect(await tenant.intent(notes[1]!)).toMatchObject({ customerId: target, openAmount: { amount: -5000 } });
    expect(await tenant.broken()).toEqual([]);
  }
  const { data } = await tenant.ok('GET', '/payment/bank-account-transactions?isReturn=true');
  expect(data).toMatchObject([{ status: 'STATUS_BOOKED' }]);
});

it('so is a refund of a provider that bounces', async () => {
  tenant = await world.tenant({ features: [], settings: {} });
  const [target, source] = [await tenant.customer(), await tenant.customer()];
  const method = await tenant.method(source, 'testing', { isDefault: true });
  const [invoice] = await tenant.finalize({ customerId: source, gross: 5000, method: method.id });
  await eventually(async () => (await tenant.intent(invoice!)).status === 'succeeded', 'it is paid');
  const merged = await merge(source, target);
  const now = new Date();
  const event = tenant.event({ customerId: source, gross: -5000, type: 'TYPE_REFUND' }, now);
  const events = [{ ...event, payload: { ...event.payload, referencedInvoiceId: invoice! } }];
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
  const refund = event.payload.invoiceId;
  await eventually(async () => (await tenant.intent(refund)).status === 'succeeded', 'it has gone back');
  expect(await undo(merged)).not.toBe('busy');
  const [sent] = (await tenant.ok('GET', '/payment/transactions?type=refund')).data;
  const outcome = { status: 'declined', reason: 'lost_or_stolen_card' };
  await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, { outcome });
  expect(await tenant.intent(refund)).toMatchObject({ status: 'failed', openAmount: { amount: -5000 } });
  expect(await tenant.broken()).toEqual([]);
});

it('is waited for by the next merge of one of them, while money of the other is under way', async () => {
  const [source, target, third] = [await tenant.customer(), await tenant.customer(), await tenant.customer()];
  const [theirs] = await tenant.finalize({ customerId: source, gross: 5000 });
  const merged = await merge(source, target);
  await tenant.method(target, 'sepa_debit', { sepaMandate: { iban: 'DE89370400440532013000' } });
  await tenant.finalize({ customerId: target, gross: 1000 });
  // Since it was looked at, a debit has begun to wait for its file.
  await world.database.tenant(tenant.id, async (tx) => {
    expect(await mover().undo(tx, (await recordUndo(tx, merged.mergeId))!)).toBe('busy');
  });
  for (const [from, to] of [
    [source, third],
    [third, source],
    [target, third],
  ] as const)
    await expect(merge(from, to)).rejects.toThrow('something is under way');
  await world.database.tenant(tenant.id, async (tx) => {
    // The debit has ended.
    for (const end of [
      `UPDATE payment_intent SET status = 'open', pending_minor = 0 WHERE tenant_id = $1 AND customer_id = $2`,
      `UPDATE payment_transaction SET status = 'failed' WHERE tenant_id = $1 AND customer_id = $2`,
    ])
      await tx.query(end, [tenant.id, target]);
    expect(await mover().undo(tx, merged)).not.toBe('busy');
    await completeUndo(tx, merged);
  });
  await merge(source, third);
  expect(await tenant.intent(theirs!)).toMatchObject({ customerId: third });
});
