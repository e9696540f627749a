import { type BankTransactionState, bankTransactionChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { money, toMoneyJson } from '@kontor/money';
import type { NewRow, TenantTx } from '@kontor/persistence';
import { assignedTo, type BankAssignment, type BankTransaction } from '../../domain/bank/bank-transaction.js';
import { foldText } from '../../domain/bank/import/same-entry.js';
import { type BankPayerRow, bankPayers } from './bank-payer.row.js';
import { bankAssignments } from './bank-assignment.row.js';
import { bankTransactions } from './bank-transaction.row.js';

/** Saves changed lines with their new assignments and publishes them; `kept` are assignments that they had before. */
export async function saveLines(
  tx: TenantTx,
  lines: readonly BankTransaction[],
  fresh: readonly BankAssignment[],
  kept: readonly BankAssignment[] = [],
): Promise<void> {
  for (const line of lines) line.version += 1;
  await bankTransactions.update(tx, lines);
  await bankAssignments.update(
    tx,
    kept.filter((assignment) => assignment.revokedAt !== null),
  );
  await bankAssignments.insert(tx, fresh);
  await storePayers(tx, lines, fresh);
  const active = new Map<string, BankAssignment[]>();
  for (const assignment of [...kept, ...fresh])
    if (assignment.revokedAt === null)
      active.set(assignment.bankTransactionId, [...(active.get(assignment.bankTransactionId) ?? []), assignment]);
  await appendEvents(
    tx,
    bankTransactionChangedV1,
    lines.map((line) => ({
      aggregateId: line.id,
      aggregateSeq: line.version,
      payload: {
        id: line.id,
        version: line.version,
        deleted: false,
        state: stateOf(line, active.get(line.id) ?? []),
        notices: [],
      },
    })),
  );
}

const stateOf = (line: BankTransaction, assignments: readonly BankAssignment[]): BankTransactionState => ({
  id: line.id,
  bankAccountId: line.bankAccountId,
  status: line.status,
  amount: toMoneyJson(money(line.amountMinor, line.currencyCode)),
  unassignedAmount: toMoneyJson(money(line.unassignedMinor, line.currencyCode)),
  isReturn: line.isReturn,
  bookingDate: line.bookingDate.toISOString().slice(0, 10),
  reference: line.reference,
  assignments: assignedTo(assignments),
});

/** Who pays for whom: the next transfer of the same account or name may be for the same customer. */
async function storePayers(
  tx: TenantTx,
  lines: readonly BankTransaction[],
  fresh: readonly BankAssignment[],
): Promise<void> {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const rows = new Map<string, NewRow<BankPayerRow>>();
  for (const { bankTransactionId, customerId, amountMinor } of fresh) {
    const line = byId.get(bankTransactionId);
    if (!line || line.isReturn || amountMinor < 0n) continue;
    for (const [kind, value] of payerKeys(line))
      rows.set(`${kind}/${value}/${customerId}`, { kind, value, customerId });
  }
  if (rows.size === 0) return;
  const sorted = [...rows.keys()].sort().map((key) => rows.get(key)!);
  await bankPayers.insertMissing(tx, sorted);
}

/** What a payer is known by after a payment. */
export function payerKeys(line: BankTransaction): ['iban' | 'name', string][] {
  const name = line.counterpartyName === null ? '' : foldText(line.counterpartyName);
  return [
    ...(line.counterpartyIban === null ? [] : [['iban', line.counterpartyIban] as ['iban', string]]),
    ...(name.length < 4 ? [] : [['name', name] as ['name', string]]),
  ];
}
