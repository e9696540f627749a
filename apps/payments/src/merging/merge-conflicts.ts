import type { CheckMergeRequest, MergeConflict } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';

/**
 * Currencies in which one wallet could not hold what both have. Lines of the one follow those of the other, so that the highest balance that it
 * ever had counts.
 */
export async function walletsTooLarge(
  tx: TenantTx,
  { sourceCustomerId, targetCustomerId }: CheckMergeRequest,
): Promise<string[]> {
  const rows = await tx.query<{ currency: string }>(
    `SELECT s.currency_code AS currency
     FROM wallet s
     JOIN wallet t ON t.tenant_id = $1 AND t.customer_id = $3 AND t.currency_code = s.currency_code
     WHERE s.tenant_id = $1 AND s.customer_id = $2 AND t.balance_minor + (
       SELECT max(l.balance_after_minor) FROM wallet_transaction l WHERE l.tenant_id = $1 AND l.wallet_id = s.id) > $4
     ORDER BY s.currency_code`,
    [tx.tenantId, sourceCustomerId, targetCustomerId, Number.MAX_SAFE_INTEGER],
  );
  return rows.map(({ currency }) => currency);
}

/** What speaks against one customer's money becoming another's. `underWay` finds money of `$2` that has not arrived. */
export async function mergeConflicts(
  tx: TenantTx,
  { sourceCustomerId, targetCustomerId }: CheckMergeRequest,
  underWay: string,
): Promise<MergeConflict[]> {
  const conflicts: MergeConflict[] = [];
  if ((await tx.query(underWay, [tx.tenantId, sourceCustomerId])).length > 0)
    conflicts.push({
      code: 'payment_under_way',
      message: 'Money of the customer is on its way: a collection, a refund or a top-up. It has to end first.',
    });
  const both = [tx.tenantId, sourceCustomerId, targetCustomerId];
  const [wallets] = await tx.query<{ source: string[]; target: string[] }>(
    `SELECT
       array_agg(currency_code ORDER BY currency_code) FILTER (WHERE customer_id = $2) AS source,
       array_agg(currency_code ORDER BY currency_code) FILTER (WHERE customer_id = $3) AS target
     FROM wallet WHERE tenant_id = $1 AND customer_id IN ($2, $3) AND balance_minor > 0`,
    both,
  );
  const { source, target } = { source: wallets?.source ?? [], target: wallets?.target ?? [] };
  const foreign = source.filter((currency) => !target.includes(currency));
  if (target.length > 0 && foreign.length > 0)
    conflicts.push({
      code: 'wallet_currencies_differ',
      message: `The customer has credit in ${foreign.join(', ')}, the other one in ${target.join(', ')}.`,
    });
  for (const currency of await walletsTooLarge(tx, { sourceCustomerId, targetCustomerId }))
    conflicts.push({
      code: 'wallet_too_large',
      message: `The credit of both customers in ${currency} together is beyond the range of amounts.`,
    });
  const rules = await tx.query<{ currency: string }>(
    `SELECT currency_code AS currency FROM auto_top_up_rule WHERE tenant_id = $1 AND customer_id IN ($2, $3)
     GROUP BY currency_code HAVING count(*) > 1 ORDER BY currency_code`,
    both,
  );
  for (const { currency } of rules)
    conflicts.push({
      code: 'two_automatic_top_ups',
      message: `Both customers have a rule for automatic top-ups in ${currency}; remove one of them.`,
    });
  return conflicts;
}
