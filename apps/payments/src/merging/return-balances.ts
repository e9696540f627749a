import { walletChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import type { CustomerMerge, TenantTx } from '@kontor/persistence';
import { walletEvents } from '../customer-books/books-events.js';
import { wallets } from '../customer-books/wallet.row.js';
import { customerAccount } from '../domain/ledger/chart-of-accounts.js';
import { type BalanceMove, customerUnmerged } from '../domain/ledger/postings.js';
import { bookAll } from '../ledger/index.js';

/** What a customer owes by its documents and lines, by currency. */
const OWED = `
  SELECT currency_code AS "currencyCode", sum(owed)::text AS "debitMinor" FROM (
    SELECT currency_code, open_minor AS owed FROM payment_intent
      WHERE tenant_id = $1 AND customer_id = $2 AND invoice_id IS NOT NULL
    UNION ALL SELECT currency_code, open_minor - amount_minor FROM payment_intent
      WHERE tenant_id = $1 AND customer_id = $2 AND top_up_id IS NOT NULL
    UNION ALL SELECT currency_code, amount_minor FROM wallet_transaction
      WHERE tenant_id = $1 AND customer_id = $2 AND type = 'top_up'
  ) o GROUP BY currency_code HAVING sum(owed) <> 0 ORDER BY currency_code`;

/** Sets the accounts of a customer, which are empty, what its rows say; the wallets are published. */
export async function returnBalances(
  tx: TenantTx,
  { mergeId, sourceCustomerId, survivorId }: CustomerMerge,
): Promise<void> {
  const owed = await tx.query<{ currencyCode: string; debitMinor: string }>(OWED, [tx.tenantId, sourceCustomerId]);
  const returned = await wallets.where(tx, 'customer_id = $2 ORDER BY currency_code', [sourceCustomerId]);
  const move = (code: 'receivable' | 'wallet', currencyCode: string, debitMinor: bigint): BalanceMove => ({
    from: customerAccount(code, survivorId, currencyCode),
    to: customerAccount(code, sourceCustomerId, currencyCode),
    debitMinor,
  });
  const moves = [
    ...owed.map(({ currencyCode, debitMinor }) => move('receivable', currencyCode, BigInt(debitMinor))),
    ...returned.map(({ currencyCode, balanceMinor }) => move('wallet', currencyCode, -balanceMinor)),
  ].filter(({ debitMinor }) => debitMinor !== 0n);
  if (moves.length > 0) await bookAll(tx, tx.tenantId, tx.now, [customerUnmerged(mergeId, moves)]);
  for (const wallet of returned) wallet.version += 1;
  await wallets.save(tx, returned);
  await appendEvents(tx, walletChangedV1, walletEvents(returned));
}
