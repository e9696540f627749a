import type { TenantTx } from '@kontor/persistence';
import { CustomerReferences } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { carts } from '../carts/cart.row.js';
import { offers } from '../offers/offer.row.js';

/** A customer stays while it has an offer or a cart, whatever has become of that. */
@Injectable()
export class ReferringSales extends CustomerReferences {
  async find(tx: TenantTx, customerId: string): Promise<string[]> {
    return [
      ...((await offers.exists(tx, { customerId })) ? ['offer'] : []),
      ...((await carts.exists(tx, { customerId })) ? ['cart'] : []),
    ];
  }
}
