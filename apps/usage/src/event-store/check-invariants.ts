import type { ServiceInvariant } from '@kontor/service-kit';

/** How many of the newest events are checked: older ones were checked when they were new. */
const NEWEST = 10_000;

const NEWEST_EVENTS = `SELECT transaction_id FROM usage_event WHERE tenant_id = $1 ORDER BY id DESC LIMIT ${NEWEST}`;

/** What the service promises about a tenant's events. */
export const INVARIANTS: readonly ServiceInvariant[] = [
  {
    rule: 'no usage event can be stored a second time: its transactionId has a key',
    // The key is worked out first: a comparison with an expression would not be left to the index of a table with policies.
    sql: `WITH newest AS MATERIALIZED (${NEWEST_EVENTS}), keys AS MATERIALIZED (
            SELECT transaction_id,
              encode(substring(sha256(convert_to($1::text || E'\\n' || transaction_id, 'UTF8')) FOR 16), 'hex')::uuid AS digest
            FROM newest
          )
          SELECT n.transaction_id AS what FROM keys n
          WHERE NOT EXISTS (SELECT 1 FROM usage_event_key k WHERE k.digest = n.digest)`,
    byIndex: true,
  },
  {
    rule: 'no usage event is there twice',
    sql: `WITH newest AS MATERIALIZED (${NEWEST_EVENTS})
          SELECT transaction_id AS what FROM newest GROUP BY transaction_id HAVING count(*) > 1`,
  },
  {
    rule: 'no message of the usage intake is parked',
    // Also one that names no tenant, or one that nobody knows.
    sharedSql: `SELECT format('%s/%s, offset %s: %s', topic, partition, "offset", code) AS what FROM usage_intake_parked`,
  },
];
