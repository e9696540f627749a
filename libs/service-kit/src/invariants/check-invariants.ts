import { type Database, type TenantTx } from '@kontor/persistence';

/** What does not hold for one tenant, one line each; empty when all is well. */
export type InvariantCheck = (tx: TenantTx) => Promise<string[]>;

/** A row that waits longer than this says that the relay or the bus is stuck. */
const OLD_MINUTES = 5;

/**
 * Checks a service's promises about its own data, tenant by tenant, each in one snapshot, and that its outbox moves.
 * Reads only. Lines begin with the tenant they are about.
 */
export async function checkInvariants(
  database: Database,
  check: InvariantCheck | undefined,
  tenantIds: readonly string[],
): Promise<string[]> {
  const broken = await stuckOutbox(database);
  for (const tenantId of check ? tenantIds : []) {
    const lines = await database.tenant(tenantId, check as InvariantCheck, { readOnly: true });
    broken.push(...lines.map((line) => `tenant ${tenantId}: ${line}`));
  }
  return broken;
}

async function stuckOutbox(database: Database): Promise<string[]> {
  const [row] = await database.system((sql) =>
    sql.query<{ stuck: bigint; quarantined: bigint; parked: bigint }>(
      `SELECT (SELECT count(*) FROM outbox WHERE id > (SELECT last_id FROM relay_state)
                 AND uuid_extract_timestamp(event_id) < now() - make_interval(mins => $1)) AS stuck,
              (SELECT count(*) FROM outbox_quarantine) AS quarantined,
              (SELECT count(*) FROM parked) AS parked`,
      [OLD_MINUTES],
    ),
  );
  const found = {
    stuck: Number(row?.stuck ?? 0),
    quarantined: Number(row?.quarantined ?? 0),
    parked: Number(row?.parked ?? 0),
  };
  return [
    ...(found.stuck > 0 ? [`${found.stuck} events wait in the outbox for more than ${OLD_MINUTES} minutes`] : []),
    ...(found.quarantined > 0 ? [`${found.quarantined} events were refused by the bus for good`] : []),
    ...(found.parked > 0 ? [`${found.parked} messages are parked`] : []),
  ];
}
