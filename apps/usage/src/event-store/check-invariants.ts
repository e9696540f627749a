import type { TenantTx } from '@kontor/persistence';

/** How many of the newest events are checked: older ones were checked when they were new. */
const NEWEST = 10_000;

/** What does not hold of a tenant's events, for `npm run check:invariants`. */
export async function brokenInvariants(tx: TenantTx): Promise<string[]> {
  const [found] = await tx.query<{ keyless: bigint; twice: bigint; parked: bigint }>(
    `WITH newest AS MATERIALIZED (
       SELECT transaction_id FROM usage_event WHERE tenant_id = $1 ORDER BY id DESC LIMIT ${NEWEST}
     ), digests AS (
       SELECT sha256(convert_to($1::text || E'\\n' || transaction_id, 'UTF8')) AS digest FROM newest
     )
     SELECT
       (SELECT count(*) FROM digests d WHERE NOT EXISTS (
          SELECT 1 FROM usage_event_key k
          WHERE k.digest = encode(substring(d.digest FOR 16), 'hex')::uuid)) AS keyless,
       (SELECT count(*) - count(DISTINCT transaction_id) FROM newest) AS twice,
       (SELECT count(*) FROM usage_intake_parked WHERE tenant = $1::text) AS parked`,
    [tx.tenantId],
  );
  return [
    ...(found!.keyless > 0n
      ? [`${found!.keyless} usage events could be stored a second time: their transactionId has no key`]
      : []),
    ...(found!.twice > 0n ? [`${found!.twice} usage events are there twice`] : []),
    ...(found!.parked > 0n ? [`${found!.parked} messages of the usage intake are parked`] : []),
  ];
}
