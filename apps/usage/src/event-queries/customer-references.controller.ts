import { Get } from '@nestjs/common';
import type { CustomerReferencesResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { usageEvents } from '../db/usage-event.row.js';
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
        const hasEvents = await usageEvents.exists(tx, { customerId: id });
        return { references: hasEvents ? ['usage_event'] : [] };
      },
      { readOnly: true },
    );
  }
}
