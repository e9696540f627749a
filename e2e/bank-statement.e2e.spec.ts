import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { System } from './support/system.js';

type Call = (method: string, path: string, body?: unknown) => Promise<Json>;
const { play } = (await import(join(import.meta.dirname, '..', 'examples', 'bank-statement', 'run.mjs'))) as {
  play(call: Call): Promise<{ imports: Json[]; lines: Json[]; invoices: Record<string, Json> }>;
};

let system: System;
let api: Api;

beforeAll(async () => {
  system = await System.shared();
  ({ api } = await system.sandbox({ now: '2026-03-01T08:00:00.000Z' }));
});

const call: Call = async (method, path, body) => {
  if (!(body instanceof FormData)) return api.ok(method as 'GET', path, body);
  const answer = await fetch(api.baseUrl + path, { method, headers: { authorization: `Bearer ${api.token}` }, body });
  expect(answer.status).toBe(201);
  return answer.json();
};

it('transfers, a batch, a return and an unknown payer are booked, suggested or left open, and the invoices show it', async () => {
  const { imports, lines, invoices } = await play(call);
  expect(imports).toMatchObject([
    { imported: 1, duplicates: 0, failed: 0 },
    { imported: 6, duplicates: 0, failed: 0 },
    { imported: 0, duplicates: 6, failed: 0 },
  ]);
  const found = (amount: number): Json => lines.find((line) => line.amount.amount === amount);
  const idOf = (name: string): string => invoices[name].id;
  for (const [amount, name] of [
    [11900, 'werft'],
    [23800, 'backhaus'],
    [5950, 'kiosk'],
    [10710, 'segelschule'],
  ] as const)
    // prettier-ignore
    expect(found(amount)).toMatchObject({ status: 'STATUS_BOOKED', unassignedAmount: 0, assignments: [{ invoiceId: idOf(name) }] });
  expect(found(30000)).toMatchObject({
    status: 'STATUS_SUGGESTIONS_AVAILABLE',
    unassignedAmount: 30000,
    assignments: [],
    suggestions: [{ invoiceId: idOf('druckerei') }],
  });
  expect(found(-11900)).toMatchObject({ status: 'STATUS_BOOKED', isReturn: true });
  expect(found(4200)).toMatchObject({
    status: 'STATUS_MANUAL_MATCHING_REQUIRED',
    unassignedAmount: 4200,
    suggestions: [],
  });

  const shows = (name: string, status: string, unpaid: number) =>
    eventually(`${name} is ${status}`, async () => {
      const invoice = await api.ok('GET', `/invoices/${idOf(name)}`);
      return invoice.status === status && invoice.unpaidAmount.amount === unpaid;
    });
  for (const name of ['backhaus', 'kiosk', 'segelschule']) await shows(name, 'STATUS_PAID', 0);
  await shows('werft', 'STATUS_UNPAID', 11900);
  await shows('druckerei', 'STATUS_UNPAID', 59500);

  // The bank's account is the sum of the statement; what nobody has assigned lies in suspense.
  const { data } = await api.ok('GET', '/ledger/accounts?limit=100');
  const balance = (code: string): number => data.find((account: Json) => account.code === code).balance.amount;
  expect([balance('bank'), balance('suspense')]).toEqual([
    lines.reduce((sum, line) => sum + line.amount.amount, 0),
    34200,
  ]);

  await api.ok('PUT', '/payment/bank-account-transactions/accept-suggestions', { transactionIds: [found(30000).id] });
  await shows('druckerei', 'STATUS_UNPAID', 29500);

  // Neither a number nor an account that was seen before: the payer's name and the amount are left.
  const { bankAccountId } = found(4200);
  const line = {
    reference: 'by name',
    bookingDate: '2026-03-06',
    amount: '119.00',
    currencyCode: 'EUR',
    counterpartyName: 'WERFT AG',
  };
  await api.ok('POST', '/payment/bank-account-transactions/import', { bankAccountId, transactions: [line] });
  const byName = (await api.ok('GET', '/payment/bank-account-transactions?limit=1')).data[0];
  expect(byName).toMatchObject({
    status: 'STATUS_SUGGESTIONS_AVAILABLE',
    suggestions: [
      {
        invoiceId: idOf('werft'),
        reason: expect.stringMatching(/^The payer has the name of this customer, and the amount/),
      },
    ],
  });
});
