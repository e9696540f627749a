import { newUuid } from '@kontor/kernel';
import type { Answer, Json, Tenant } from './world.js';

export const BANK = '/payment/bank-account-transactions';
export const IBAN = 'DE89370400440532013000';

/** Of the settings: who collects and pays out by files. */
export const SEPA_SELLER = {
  company: 'Kontor GmbH',
  bankAccount: { iban: 'DE02120300000000202051' },
  creditorIdentifier: 'DE98ZZZ09999999999',
};

export const bankAccount = async (tenant: Tenant, more: object = {}): Promise<string> =>
  (await tenant.ok('POST', '/bank-accounts', { name: 'Geschäftskonto', iban: IBAN, ...more })).id;

export const line = (more: Record<string, unknown>): Record<string, unknown> => ({
  reference: newUuid(),
  bookingDate: '2026-11-20',
  amount: '1.00',
  currencyCode: 'EUR',
  ...more,
});

export const importLines = (tenant: Tenant, bankAccountId: string, transactions: object[]): Promise<Answer> =>
  tenant.call('POST', `${BANK}/import`, { bankAccountId, transactions });

/** Imports and gives the new lines, in the order of the list. */
export async function lines(
  tenant: Tenant,
  bankAccountId: string,
  transactions: Record<string, unknown>[],
): Promise<Json[]> {
  const answer = await importLines(tenant, bankAccountId, transactions);
  if (answer.status !== 201 || answer.body.imported !== transactions.length) throw new Error(JSON.stringify(answer));
  const { data } = await tenant.ok('GET', `${BANK}?limit=100`);
  return transactions.map((transaction) => data.find((found: Json) => found.reference === transaction['reference']));
}

/** The line that has an assignment to the invoice. */
export async function lineOf(tenant: Tenant, invoiceId: string): Promise<Json> {
  const { data } = await tenant.ok('GET', `${BANK}?limit=100`);
  return data.find((found: Json) => found.assignments.some((assignment: Json) => assignment.invoiceId === invoiceId));
}

/** A file as a form, as browsers send it. */
export async function importFile(
  tenant: Tenant,
  bankAccountId: string,
  content: string | Uint8Array,
  name = 'statement.xml',
  more: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData();
  form.set('bankAccountId', bankAccountId);
  form.set('file', new Blob([content as BlobPart]), name);
  const response = await fetch(`${tenant.world.service.url}${BANK}/import`, {
    method: 'POST',
    headers: { 'x-kontor-principal': tenant.world.service.kit.tokens.sign(tenant.key), ...more },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}
