import { expect } from '@jest/globals';
import { importFile } from './bank-world.js';
import { type Booking, camt } from './statements/make-camt.js';
import type { Json, Tenant } from './world.js';

/** Of the credit note that is paid out. */
export const NUMBER = 'GS-2026-81001';

/** 80.00 that go out to the customer. */
export const out = (more: Partial<Booking> = {}): Booking => ({
  amount: '80.00',
  debit: true,
  endToEnd: 'OUT-1',
  text: NUMBER,
  ...more,
});

/** The same money, on its way back four days later. */
export const back = (more: Partial<Booking> = {}): Booking => ({
  amount: '80.00',
  day: '2026-11-24',
  endToEnd: 'OUT-1',
  text: 'Rueckueberweisung',
  returnCode: 'AC04',
  ...more,
});

export async function importBookings(tenant: Tenant, account: string, bookings: Booking[]): Promise<void> {
  const { status, body } = await importFile(tenant, account, camt(bookings));
  expect([status, body.imported]).toEqual([201, bookings.length]);
}

/** Of the bank, of suspense, of fees and of receivables, in this order. */
export async function balancesOf(tenant: Tenant): Promise<number[]> {
  const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
  return ['bank', 'suspense', 'fees', 'receivable'].map((code) =>
    data.reduce((sum: number, it: Json) => (it.code === code ? sum + it.balance.amount : sum), 0),
  );
}
