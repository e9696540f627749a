import type { Sql } from '@kontor/kernel';

/** Where a sandbox tenant's time is frozen in this service, or null while its clock is real. */
export async function frozenClock(sql: Sql, tenantId: string): Promise<Date | null> {
  const rows = await sql.query<{ now: Date }>('SELECT now FROM tenant_clock WHERE tenant_id = $1', [tenantId]);
  return rows[0]?.now ?? null;
}

/**
 * Freezes the tenant's time in this service, never earlier than it was, and takes what is not due yet out of the poll loop's
 * sight: from now on only `runDue` reaches it. Returns where the clock stands.
 */
export async function setTenantClock(sql: Sql, tenantId: string, now: Date): Promise<Date> {
  const rows = await sql.query<{ now: Date }>(
    `INSERT INTO tenant_clock (tenant_id, now) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET now = greatest(tenant_clock.now, excluded.now) RETURNING now`,
    [tenantId, now],
  );
  const at = rows[0]?.now ?? now;
  await sql.query(
    'UPDATE due_work SET poll_at = NULL WHERE tenant_id = $1 AND NOT wall AND poll_at IS NOT NULL AND due_at > $2',
    [tenantId, at],
  );
  return at;
}

/** SQL that calls a trigger function when a tenant's clock is frozen for the first time; the row has its `tenant_id`. */
export const onClockFrozen = (trigger: string, call: string): string => `
CREATE TRIGGER ${trigger} AFTER INSERT ON tenant_clock FOR EACH ROW EXECUTE FUNCTION ${call}();
`;

/** SQL that lets the ingest role read clocks. */
export const ingestReadsClocks = 'GRANT SELECT ON tenant_clock TO {{ingest}};';
