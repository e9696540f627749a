import type { MovedObjects } from '@kontor/contracts';
import type { CustomerMerge, TenantTx } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** Who was logged in as the merged customer logs in again, as the other one. */
@Injectable()
export class EndSessions extends CustomerMover {
  readonly rows = [];

  override async move(tx: TenantTx, { sourceCustomerId }: CustomerMerge): Promise<MovedObjects[]> {
    for (const table of ['customer_session', 'login_link'])
      await tx.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND customer_id = $2`, [tx.tenantId, sourceCustomerId]);
    return [];
  }
}
