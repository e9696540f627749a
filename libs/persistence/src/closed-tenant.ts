import { DomainError, type Sql } from '@kontor/kernel';

/**
 * Lets a tenant stand still in this service, or go on: nothing is done that is due on its time, such as billing, and public pages are
 * refused. What is retried on real time goes on. Doing it again changes nothing.
 */
export async function setTenantClosed(sql: Sql, tenantId: string, closed: boolean): Promise<void> {
  await sql.query(
    closed
      ? 'INSERT INTO closed_tenant (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING'
      : 'DELETE FROM closed_tenant WHERE tenant_id = $1',
    [tenantId],
  );
  // Out of the poll loop's sight, or back to where a clock that goes on would have it.
  await sql.query(
    `UPDATE due_work d SET poll_at = CASE
       WHEN $2 THEN NULL
       WHEN tenant_frozen_at($1) IS NULL THEN d.due_at
       WHEN d.due_at <= tenant_frozen_at($1) THEN now()
     END
     WHERE d.tenant_id = $1 AND NOT d.wall`,
    [tenantId, closed],
  );
}

/** Of `due_work`: SQL that leaves out what stands still. */
export const NOT_CLOSED = '(wall OR NOT EXISTS (SELECT FROM closed_tenant c WHERE c.tenant_id = due_work.tenant_id))';

/** 403 `tenant_closed`. */
export const tenantClosed = (): DomainError =>
  new DomainError('tenant_closed', { kind: 'forbidden', detail: 'This organisation is closed: it is being deleted.' });
