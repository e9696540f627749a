import type { CustomerMerge, TenantTx } from '@kontor/persistence';
import { customerAccount, type CustomerAccountCode } from '../domain/ledger/chart-of-accounts.js';
import { customerMerged } from '../domain/ledger/postings.js';
import { bookAll } from '../ledger/index.js';

/** Empties the ledger accounts of a customer into those of another; nothing of it is reserved. */
export async function moveBalances(
  tx: TenantTx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
): Promise<void> {
  const balances = await tx.query<{ code: CustomerAccountCode; currencyCode: string; debitMinor: string }>(
    `SELECT a.code, a.currency_code AS "currencyCode",
       sum(b.posted_debit_amount - b.posted_credit_amount)::text AS "debitMinor"
     FROM ledger_account a
     JOIN ledger_balance b ON b.tenant_id = $1 AND b.account_id = a.id
     WHERE a.tenant_id = $1 AND a.customer_id = $2
     GROUP BY a.code, a.currency_code
     HAVING sum(b.posted_debit_amount - b.posted_credit_amount) <> 0
     ORDER BY a.code, a.currency_code`,
    [tx.tenantId, sourceCustomerId],
  );
  if (balances.length === 0) return;
  const moves = balances.map(({ code, currencyCode, debitMinor }) => ({
    from: customerAccount(code, sourceCustomerId, currencyCode),
    to: customerAccount(code, survivorId, currencyCode),
    debitMinor: BigInt(debitMinor),
  }));
  await bookAll(tx, tx.tenantId, tx.now, [customerMerged(mergeId, moves)]);
}
