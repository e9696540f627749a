import { arrayLiteral } from '@kontor/persistence';
import { DomainError, InvariantError, type Sql } from '@kontor/kernel';
import { type Account, accountKey, CHART } from '../domain/ledger/chart-of-accounts.js';
import type { LedgerOperation } from '../domain/ledger/postings.js';
import { accountId } from './account-id.js';

/**
 * `repeated`: the operation was booked before, nothing changed. `overdraft`: it would have overdrawn a wallet, nothing
 * changed.
 */
export type BookingOutcome = 'booked' | 'repeated' | 'overdraft';

const CALL = `SELECT operation_key AS key, outcome FROM book_transfers(
  $1::uuid, $2::timestamptz, $3::text[], $4::smallint[], $5::text[], $6::text[], $7::uuid[], $8::uuid[], $9::bigint[],
    $10::text[],
  $11::uuid[], $12::bigint[], $13::text[], $14::uuid[], $15::text[], $16::text[], $17::boolean[], $18::boolean[])`;

const SHORT_CALL = 'SELECT book_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9) AS outcome';

/**
 * Books a batch of operations in one call to the database and returns the outcome of each, by key. An operation that
 * would overdraw a wallet fails alone. The caller's transaction decides whether it stays. `bookedAt` null: the tenant's
 * time.
 */
export async function bookTransfers(
  sql: Sql,
  tenantId: string,
  bookedAt: Date | null,
  operations: readonly LedgerOperation[],
): Promise<Map<string, BookingOutcome>> {
  const outcomes = new Map<string, BookingOutcome>(operations.map((op) => [op.key, 'booked']));
  if (operations.length === 0) return outcomes;
  if (operations.length === 1 && (await bookOne(sql, tenantId, bookedAt, operations[0] as LedgerOperation)))
    return outcomes;
  for (const { key, outcome } of await call(sql, tenantId, bookedAt, columns(tenantId, operations, 'each')))
    outcomes.set(key, outcome);
  return outcomes;
}

/**
 * Books operations of which none may fail or have been booked before: the caller has checked the credit under its lock,
 * so they are weighed together and not one by one.
 * @throws InvariantError when one was not booked; the transaction must not commit.
 */
export async function bookAll(
  sql: Sql,
  tenantId: string,
  bookedAt: Date,
  operations: readonly LedgerOperation[],
): Promise<void> {
  const [first, second] = operations;
  if (!first || (!second && (await bookOne(sql, tenantId, bookedAt, first)))) return;
  for (const { key, outcome } of await call(sql, tenantId, bookedAt, columns(tenantId, operations, 'together'))) {
    throw new InvariantError(`booking ${key}: ${outcome}`);
  }
}

/** SQL state: a sum is larger than a bigint. */
const OUT_OF_RANGE = '22003';

/** @throws DomainError `amount_out_of_range` where an account's turnover would leave the range of its column. */
function refuseOverflow(error: unknown): never {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  if ((driverError?.code ?? code) !== OUT_OF_RANGE) throw error;
  throw new DomainError('amount_out_of_range', {
    detail: 'An account of the ledger would leave the range of amounts.',
  });
}

/** What was not booked. */
const call = (sql: Sql, tenantId: string, bookedAt: Date | null, params: readonly string[]) =>
  sql.query<{ key: string; outcome: BookingOutcome }>(CALL, [tenantId, bookedAt, ...params]).catch(refuseOverflow);

/** The short way for a single plain transfer; false when it has to go the long way. */
async function bookOne(
  sql: Sql,
  tenantId: string,
  bookedAt: Date | null,
  { key, kind, transfers }: LedgerOperation,
): Promise<boolean> {
  const [transfer, second] = transfers;
  if (!transfer || second || kind !== 'posted') return false;
  const { debit, credit, amountMinor } = transfer;
  const params = [
    tenantId,
    bookedAt?.toISOString() ?? null,
    key,
    accountId(tenantId, debit),
    isTenantWide(debit),
    accountId(tenantId, credit),
    isTenantWide(credit),
    amountMinor.toString(),
    debit.currencyCode,
  ];
  const [row] = await sql.query<{ outcome: string | null }>(SHORT_CALL, params).catch(refuseOverflow);
  return row?.outcome === 'booked';
}

/** Of accounts that every booking hits there are several balances: see the ledger's SQL. */
const isTenantWide = (account: Account): boolean => CHART[account.code].owner === 'tenant';

interface UsedAccount {
  readonly id: string;
  readonly account: Account;
  /** What the operations debit from it at most. */
  outgoingMinor: bigint;
}

/**
 * Operations as the columns that `book_transfers` expects: first of the transfers, then of the accounts in them.
 * Weighed
 * `together`, what comes in pays for what goes out; each by itself, it may come too late.
 */
function columns(tenantId: string, operations: readonly LedgerOperation[], weighed: 'each' | 'together'): string[] {
  const accounts = new Map<string, UsedAccount>();
  const use = (account: Account): UsedAccount => {
    const key = accountKey(account);
    let used = accounts.get(key);
    if (!used) accounts.set(key, (used = { id: accountId(tenantId, account), account, outgoingMinor: 0n }));
    return used;
  };
  const legs = operations.flatMap((op) =>
    op.transfers.map((transfer, leg) => {
      const [debit, credit] = [use(transfer.debit), use(transfer.credit)];
      if (op.kind === 'posted' || op.kind === 'pending') debit.outgoingMinor += transfer.amountMinor;
      if (op.kind === 'posted' && weighed === 'together') credit.outgoingMinor -= transfer.amountMinor;
      return { op, leg, transfer, debitId: debit.id, creditId: credit.id };
    }),
  );
  const used = [...accounts.values()];
  const kinds = used.map(({ account }) => CHART[account.code]);
  return [
    legs.map((l) => l.op.key),
    legs.map((l) => l.leg),
    legs.map((l) => l.op.kind),
    legs.map((l) => l.op.resolves),
    legs.map((l) => l.debitId),
    legs.map((l) => l.creditId),
    legs.map((l) => l.transfer.amountMinor),
    legs.map((l) => l.transfer.debit.currencyCode),
    used.map((a) => a.id),
    used.map((a) => a.outgoingMinor),
    used.map((a) => a.account.code),
    used.map((a) => a.account.customerId),
    used.map((a) => a.account.currencyCode),
    kinds.map((kind) => kind.side),
    kinds.map((kind) => kind.guarded),
    used.map(({ account }) => isTenantWide(account)),
  ].map(arrayLiteral);
}
