import type { CustomerState } from '@kontor/contracts';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { TransferRow } from '../ledger/index.js';

/** What a booking says to people. */
export interface BookingNames {
  readonly document: string;
  readonly text: string;
  /** The numbers at the bookkeeper of the customers whose accounts are debited and credited, where they have some. */
  readonly debitDebtor: string | null;
  readonly creditDebtor: string | null;
}

interface Found {
  readonly id: string;
  readonly number: string | null;
  readonly type: string | null;
}

const LABELS: Readonly<Record<string, string>> = {
  document: 'Rechnung',
  payment: 'Zahlungseingang',
  collected: 'Zahlungseingang',
  'money-out': 'Rückzahlung',
  wallet: 'Guthaben',
  'write-off': 'Forderungsausfall',
  merge: 'Zusammenführung',
};
const DOCUMENTS: Readonly<Record<string, string>> = {
  TYPE_CREDIT: 'Rechnungskorrektur',
  TYPE_REFUND: 'Erstattung',
  TYPE_CANCEL: 'Storno',
  TYPE_REMINDER: 'Mahngebühr',
  TYPE_DUNNING: 'Mahngebühr',
};
const BANK = 'Kontoumsatz';

/**
 * Names a page of bookings with three statements, however many they are. What is paid for several documents names the
 * one of each line.
 */
export async function nameBookings(
  tx: TenantTx,
  replicas: Replicas,
  rows: readonly TransferRow[],
): Promise<Map<TransferRow, BookingNames>> {
  const ids = new Map(rows.map((row) => [row.operation, /[0-9a-f-]{36}/.exec(row.operation)?.[0] ?? null]));
  const found = await findDocuments(tx, [...new Set([...ids.values()].filter((id) => id !== null))]);
  const customers = await replicas.getMany<CustomerState>(tx, 'customer', [
    ...new Set(rows.flatMap((row) => [row.debitCustomerId ?? [], row.creditCustomerId ?? []].flat())),
  ]);
  const debtorOf = (id: string | null): string | null => customers.get(id ?? '')?.accountingSystemId ?? null;
  const names = new Map<TransferRow, BookingNames>();
  for (const row of rows) {
    const kind = row.operation.slice(0, row.operation.indexOf(':'));
    const documents = found.get(ids.get(row.operation) ?? '') ?? [];
    const document = documents[documents.length > 1 ? row.leg : 0];
    const customer = customers.get(customerOf(row) ?? '');
    const label = (kind === 'document' ? DOCUMENTS[document?.type ?? ''] : undefined) ?? LABELS[kind] ?? BANK;
    const name = customer
      ? (customer.companyName ?? [customer.firstName, customer.lastName].filter(Boolean).join(' '))
      : '';
    names.set(row, {
      document: document?.number ?? '',
      text: [label, document?.number ?? '', name].filter(Boolean).join(' '),
      debitDebtor: debtorOf(row.debitCustomerId),
      creditDebtor: debtorOf(row.creditCustomerId),
    });
  }
  return names;
}

const customerOf = (row: TransferRow): string | null => row.debitCustomerId ?? row.creditCustomerId;

/**
 * The documents that operations are about: by invoice, by transaction (several: in the order of its transfers), or by
 * line of a wallet.
 */
async function findDocuments(tx: TenantTx, ids: readonly string[]): Promise<Map<string, Found[]>> {
  const rows = await tx.query<Found>(
    `SELECT k.id, i.document_number AS number, i.document_type AS type FROM unnest($2::uuid[]) AS k (id)
     LEFT JOIN LATERAL (SELECT intent_id, id AS shared FROM payment_transaction
       WHERE tenant_id = $1 AND id = k.id OFFSET 0) t ON true
     LEFT JOIN LATERAL (SELECT intent_id FROM wallet_transaction WHERE tenant_id = $1 AND id = k.id OFFSET 0) w ON true
     JOIN LATERAL (
       SELECT document_number, document_type, NULL::uuid AS place FROM payment_intent
         WHERE tenant_id = $1 AND id = coalesce(t.intent_id, w.intent_id)
       UNION ALL SELECT document_number, document_type, NULL FROM payment_intent
         WHERE tenant_id = $1 AND invoice_id = k.id
       UNION ALL SELECT p.document_number, p.document_type, a.id FROM payment_allocation a
         JOIN payment_intent p ON p.tenant_id = $1 AND p.id = a.intent_id
         WHERE a.tenant_id = $1 AND a.transaction_id = t.shared AND t.intent_id IS NULL
           AND a.kind IN ('payment', 'payout', 'return')
           AND (a.kind = 'payment') = (a.amount_minor > 0)) i ON true
     ORDER BY i.place`,
    [tx.tenantId, ids],
  );
  const found = new Map<string, Found[]>();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
  return found;
}
