import { Get } from '@nestjs/common';
import type { CustomerReferencesResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';

/** Asked by billing before it deletes a customer. */
@Internal('customers')
export class CustomerReferencesController {
  constructor(private readonly database: Database) {}

  @Get(':id/references')
  references(@Caller() caller: Principal, @IdParam() id: string): Promise<CustomerReferencesResponse> {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const rows = await tx.query('SELECT 1 FROM offer WHERE tenant_id = $1 AND customer_id = $2 LIMIT 1', [tx.tenantId, id]);
        return { references: rows.length > 0 ? ['offer'] : [] };
      },
      { readOnly: true },
    );
  }
}
