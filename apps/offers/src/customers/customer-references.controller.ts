import { Get } from '@nestjs/common';
import type { CustomerReferencesResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { carts } from '../carts/cart.row.js';
import { offers } from '../offers/offer.row.js';

/** Asked by billing before it deletes a customer. */
@Internal('customers')
export class CustomerReferencesController {
  constructor(private readonly database: Database) {}

  @Get(':id/references')
  references(@Caller() caller: Principal, @IdParam() id: string): Promise<CustomerReferencesResponse> {
    return this.database.tenant(
      caller.tenantId,
      async (tx) => ({
        references: [
          ...((await offers.exists(tx, { customerId: id })) ? ['offer'] : []),
          ...((await carts.exists(tx, { customerId: id })) ? ['cart'] : []),
        ],
      }),
      { readOnly: true },
    );
  }
}
