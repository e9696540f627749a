import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let customerId: string;

const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  tenant = await world.tenant();
  account = await bankAccount(tenant);
  customerId = await tenant.customer();
});
afterEach(async () => expect(await tenant.broken()).toEqual([]));
afterAll(() => world.stop());

async function topUp(gateway: string, amount: number): Promise<Json> {
  const paymentMethodId = (await tenant.method(customerId, gateway)).id;
  return tenant.ok('POST', '/api/wallet/top-up', { customerId, amount, currencyCode: 'EUR', paymentMethodId });
}
const confirm = ({ id }: Json) => tenant.call('POST', `/api/wallet/top-ups/${id}/confirm`, {});
const statusOf = async ({ id }: Json): Promise<string> => (await tenant.ok('GET', `/api/wallet/top-ups/${id}`)).status;
const transfer = ({ reference }: Json, amount: string, more: object = {}) =>
  line({ amount, bookingDate: today, remittanceInformation: `Guthaben ${reference} danke`, ...more });
const arrive = (...transfers: Record<string, unknown>[]): Promise<Json[]> => lines(tenant, account, transfers);
const balances = async (): Promise<[bank: number, suspense: number, wallet: number]> => {
  const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
  const of = (code: string): number => data.find((item: Json) => item.code === code)?.balance.amount ?? 0;
  return [of('bank'), of('suspense'), of('wallet')];
};
const BOOKED = { status: 'STATUS_BOOKED', unassignedAmount: 0, suggestions: [] };
const FOR_A_PERSON = { status: 'STATUS_MANUAL_MATCHING_REQUIRED', suggestions: [], assignments: [] };

describe('the transfer for a top-up', () => {
  it('completes it when its line names it, and what comes back of it takes the credit along', async () => {
    const wanted = await topUp('bank_transfer', 25);
    const arrived = await arrive(transfer(wanted, '25.00', { endToEndId: 'MY-OWN' }));
    expect(arrived).toMatchObject([BOOKED]);
    expect(await statusOf(wanted)).toBe('completed');
    expect(await balances()).toEqual([2500, 0, 2500]);
    expect((await confirm(wanted)).body.reason).toBe('invalid_status_transition');

    await arrive(line({ amount: '-25.00', bookingDate: today, endToEndId: 'MY-OWN', isReturn: true }));
    expect(await balances()).toEqual([0, 0, 0]);
  });

  it('is on the bank account once where somebody has confirmed it before, and no second line is it', async () => {
    const wanted = await topUp('bank_transfer', 25);
    expect((await confirm(wanted)).status).toBe(201);
    expect(await balances()).toEqual([2500, 0, 2500]);
    const arrived = await arrive(transfer(wanted, '25.00'), transfer(wanted, '25.00', { counterpartyName: 'Twice' }));
    const [booked, open] = arrived.sort((a, b) => a.unassignedAmount - b.unassignedAmount);
    expect(booked).toMatchObject(BOOKED);
    expect(open).toMatchObject({ ...FOR_A_PERSON, unassignedAmount: 2500 });
    expect(await balances()).toEqual([5000, 2500, 2500]);
  });

  it('of another amount is for a person, who sees no document', async () => {
    const wanted = await topUp('bank_transfer', 25);
    expect(await arrive(transfer(wanted, '24.00'))).toMatchObject([{ ...FOR_A_PERSON, unassignedAmount: 2400 }]);
    expect(await statusOf(wanted)).toBe('pending');
  });

  it('may pay what a gateway declined, together with an invoice', async () => {
    const method = (await tenant.method(customerId, 'bank_transfer')).id;
    const wanted = await topUp('fake_provider', 10.13);
    await eventually(async () => (await statusOf(wanted)) === 'failed', 'the top-up failed');
    const [invoice] = await tenant.finalize({ customerId, gross: 11_900, number: 'RE-2026-00017', method });
    const arrived = await arrive(
      line({ amount: '129.13', bookingDate: today, remittanceInformation: `RE-2026-00017, ${wanted.reference}` }),
    );
    expect(arrived).toMatchObject([{ ...BOOKED, assignments: [{ invoiceId: invoice, amount: 11_900 }] }]);
    expect(await statusOf(wanted)).toBe('completed');
    expect(await balances()).toEqual([12_913, 0, 1013]);
    await tenant.call('DELETE', `${BANK}/${arrived[0].id}/assignments/${arrived[0].assignments[0].id}`);
    // The credit of the top-up stays, and pays what is open again.
    expect(await tenant.intent(invoice!)).toMatchObject({ openAmount: { amount: 11_900 - 1013 } });
    expect(await balances()).toEqual([12_913, 11_900, 0]);
  });
});
