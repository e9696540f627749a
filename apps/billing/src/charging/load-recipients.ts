import type { TenantTx } from '@kontor/persistence';
import type { Account, Recipient } from '../domain/charging/rating-context.js';

/** What a document needs to know of the customer `c` that gets it. */
export const RECIPIENT = `c.id AS "customerId", c.version AS "customerVersion", c.currency_code AS "currencyCode", c.language,
  c.time_zone AS zone`;

/** By id: accounts themselves, whoever pays for them and some more customers; for one that was merged its survivor. */
export async function loadRecipients(
  tx: TenantTx,
  accounts: readonly (Recipient & Pick<Account, 'payerId'>)[],
  more: readonly (string | null)[],
): Promise<Map<string, Recipient>> {
  const recipients = new Map<string, Recipient>(accounts.map((account) => [account.customerId, account]));
  const wanted = [...accounts.map(({ payerId }) => payerId), ...more].filter(
    (id) => id !== null && !recipients.has(id),
  );
  if (wanted.length === 0) return recipients;
  const rows = await tx.query<Recipient & { key: string }>(
    `WITH RECURSIVE survivor (key, id) AS (
       SELECT DISTINCT x.id, x.id FROM unnest($2::uuid[]) AS x (id)
       UNION ALL
       SELECT s.key, c.merged_into_customer_id
       FROM survivor s
       JOIN customer c ON c.tenant_id = $1 AND c.id = s.id AND c.merged_into_customer_id IS NOT NULL
     )
     SELECT s.key, ${RECIPIENT}
     FROM survivor s
     JOIN customer c ON c.tenant_id = $1 AND c.id = s.id AND c.merged_into_customer_id IS NULL`,
    [tx.tenantId, wanted],
  );
  for (const { key, ...recipient } of rows) recipients.set(key, recipient);
  return recipients;
}
