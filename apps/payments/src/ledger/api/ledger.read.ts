import { isSafeAmount, money, type MoneyJson, toMoneyJson } from '@kontor/money';
import { Database, type TenantTx } from '@kontor/persistence';
import { countMatching, type ListQuery, listSql, page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type AccountCode, CHART, type Side } from '../../domain/ledger/chart-of-accounts.js';
import type { LedgerAccountView, LedgerTransferView } from './ledger.schema.js';

interface AccountRow {
  readonly id: string;
  readonly code: AccountCode;
  readonly customerId: string | null;
  readonly currencyCode: string;
  readonly side: Side;
  readonly debits: bigint;
  readonly credits: bigint;
  readonly pendingDebits: bigint;
  readonly pendingCredits: bigint;
}

/** One transfer with both of its accounts, as lists and exports read it. */
export interface TransferRow {
  readonly seq: bigint;
  readonly operation: string;
  readonly leg: number;
  readonly kind: string;
  readonly resolves: string | null;
  readonly currencyCode: string;
  readonly amount: bigint;
  readonly bookedAt: Date;
  readonly debitId: string;
  readonly debitCode: AccountCode;
  readonly debitCustomerId: string | null;
  readonly creditId: string;
  readonly creditCode: AccountCode;
  readonly creditCustomerId: string | null;
}

const ACCOUNTS = `SELECT a.id, a.code, a.customer_id AS "customerId", a.currency_code AS "currencyCode", a.side,
  coalesce(b.debits, 0)::bigint AS debits, coalesce(b.credits, 0)::bigint AS credits,
  coalesce(b.pending_debits, 0)::bigint AS "pendingDebits", coalesce(b.pending_credits, 0)::bigint AS "pendingCredits"
FROM ledger_account a LEFT JOIN LATERAL (
  SELECT sum(posted_debit_amount) AS debits, sum(posted_credit_amount) AS credits,
    sum(pending_debit_amount) AS pending_debits, sum(pending_credit_amount) AS pending_credits
  FROM ledger_balance WHERE tenant_id = $1 AND account_id = a.id) b ON true`;

export const TRANSFERS = `SELECT t.seq, t.operation_key AS operation, t.leg, t.kind, t.resolves_key AS resolves,
  t.currency_code AS "currencyCode", t.amount, t.booked_at AS "bookedAt",
  d.id AS "debitId", d.code AS "debitCode", d.customer_id AS "debitCustomerId", c.id AS "creditId",
    c.code AS "creditCode", c.customer_id AS "creditCustomerId"
FROM ledger_transfer t
JOIN ledger_account d ON d.tenant_id = $1 AND d.id = t.debit_account_id
JOIN ledger_account c ON c.tenant_id = $1 AND c.id = t.credit_account_id`;

/** The ledger as it is read: accounts with their balances, and transfers, newest first. */
@Injectable()
export class ReadLedger {
  constructor(private readonly database: Database) {}

  accounts(tenantId: string, list: ListQuery) {
    const columns = {
      customer: { sql: 'a.customer_id', type: 'uuid' as const },
      currencyCode: 'a.currency_code',
      code: 'a.code',
    };
    const q = listSql(list, { columns, usedParams: 1, defaultOrder: 'a.code, a.currency_code, a.id' });
    return this.read(tenantId, async (tx) => {
      const params = [tx.tenantId, ...q.params];
      const total = await countMatching(tx, `FROM ledger_account a WHERE a.tenant_id = $1 AND ${q.where}`, params);
      const rows = await tx.query<AccountRow>(
        `${ACCOUNTS} WHERE a.tenant_id = $1 AND ${q.where} ORDER BY ${q.orderBy} LIMIT ${q.limit} OFFSET ${q.offset}`,
        params,
      );
      return page(rows.map(representAccount), total, list);
    });
  }

  transfers(tenantId: string, list: ListQuery) {
    return this.read(tenantId, async (tx) => {
      const { account, customer, ...filters } = list.filters;
      const accounts = await accountsOf(tx, account, customer);
      const columns = {
        currencyCode: 't.currency_code',
        kind: 't.kind',
        operation: 't.operation_key',
        bookedAt: 't.booked_at',
      };
      const q = listSql({ ...list, filters }, { columns, usedParams: 1, defaultOrder: 't.booked_at DESC, t.seq DESC' });
      const params: unknown[] = [tx.tenantId, ...q.params];
      let where = `t.tenant_id = $1 AND ${q.where}`;
      if (accounts) {
        const at = `$${params.push(accounts)}::uuid[]`;
        where += ` AND (t.debit_account_id = ANY (${at}) OR t.credit_account_id = ANY (${at}))`;
      }
      const total = await countMatching(tx, `FROM ledger_transfer t WHERE ${where}`, params);
      const rows = await tx.query<TransferRow>(
        `${TRANSFERS} WHERE ${where} ORDER BY ${q.orderBy} LIMIT ${q.limit} OFFSET ${q.offset}`,
        params,
      );
      return page(rows.map(representTransfer), total, list);
    });
  }

  private read<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.database.tenant(tenantId, work, { readOnly: true });
  }
}

/** The accounts that are asked for; undefined: all. */
async function accountsOf(
  tx: TenantTx,
  ids?: readonly string[],
  customers?: readonly string[],
): Promise<string[] | undefined> {
  if (!customers) return ids ? [...ids] : undefined;
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ledger_account WHERE tenant_id = $1 AND customer_id = ANY ($2::uuid[]) AND ($3::uuid[] IS NULL
      OR id = ANY ($3::uuid[]))`,
    [tx.tenantId, customers, ids ?? null],
  );
  return rows.map((row) => row.id);
}

const raw = (JSON as unknown as { rawJSON(text: string): number }).rawJSON;

/** Turnover only grows, and what all customers owe together has no limit: beyond 2^53 its digits are written as they are. */
const sumJson = (amount: bigint, currencyCode: string): MoneyJson =>
  isSafeAmount(amount) ? toMoneyJson(money(amount, currencyCode)) : { amount: raw(amount.toString()), currencyCode };

function representAccount(row: AccountRow): LedgerAccountView {
  const of = (amount: bigint) => sumJson(amount, row.currencyCode);
  const onItsSide = (debits: bigint, credits: bigint) => of(row.side === 'debit' ? debits - credits : credits - debits);
  return {
    id: row.id,
    code: row.code,
    customerId: row.customerId,
    currencyCode: row.currencyCode,
    purpose: CHART[row.code].purpose,
    side: row.side,
    balance: onItsSide(row.debits, row.credits),
    pending: onItsSide(row.pendingDebits, row.pendingCredits),
    debits: of(row.debits),
    credits: of(row.credits),
  };
}

const representTransfer = (row: TransferRow): LedgerTransferView => ({
  id: `${row.operation}/${row.leg}`,
  operation: row.operation,
  kind: row.kind,
  resolves: row.resolves,
  debit: { id: row.debitId, code: row.debitCode, customerId: row.debitCustomerId },
  credit: { id: row.creditId, code: row.creditCode, customerId: row.creditCustomerId },
  amount: toMoneyJson(money(row.amount, row.currencyCode)),
  bookedAt: row.bookedAt.toISOString(),
});
