import type { CustomerReferencesResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { Get } from '@nestjs/common';

const REFERRING = ['payment_method', 'payment_intent', 'wallet', 'auto_top_up_rule'] as const;

/** For billing: may this customer be deleted? */
@Internal('customers')
export class CustomerReferencesInternal {
  constructor(private readonly database: Database) {}

  @Get(':id/references')
  references(@Caller() caller: Principal, @IdParam('id') id: string): Promise<CustomerReferencesResponse> {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const references: string[] = [];
        for (const table of REFERRING) {
          const [row] = await tx.query<{ there: boolean }>(
            `SELECT EXISTS (SELECT 1 FROM ${table} WHERE tenant_id = $1 AND customer_id = $2) AS there`,
            [tx.tenantId, id],
          );
          if (row?.there) references.push(table);
        }
        return { references };
      },
      { readOnly: true },
    );
  }
}
