import { Database, type TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { tenants } from '../db/tenant.row.js';
import { tenantState } from '../domain/tenant.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Tenants for the services that copy them; also the list that a new service's backfill begins with. */
@ReplicaSource('tenant')
export class TenantReplicaSource implements ReplicaProvider {
  constructor(private readonly db: Database) {}

  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const tenant = id === tx.tenantId ? await tenants.findOne(tx, {}) : null;
    return tenant && { version: Number(tenant.version), data: tenantState(tenant) };
  }

  async page(tx: TenantTx, after: string | null): Promise<OwnedObject[]> {
    const tenant = after === null ? await this.fetch(tx, tx.tenantId) : null;
    return tenant ? [{ id: tx.tenantId, ...tenant }] : [];
  }

  async tenants(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.db.system((sql) =>
      sql.query<{ id: string }>('SELECT id FROM all_tenant_ids($1, $2)', [after ?? FIRST, limit]),
    );
    return rows.map((row) => row.id);
  }
}
