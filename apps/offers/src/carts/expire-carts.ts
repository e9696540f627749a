import { Database, type DueBatch, DueHandler, eachDueItem, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { carts } from './cart.row.js';
import { CART_EXPIRY, SaveCart } from './save-cart.js';

/** Ends carts that nobody confirmed. One whose buyer is known was abandoned. */
@Injectable()
@DueHandler({ kind: CART_EXPIRY, batchSize: 50 })
export class ExpireCarts {
  constructor(
    private readonly database: Database,
    private readonly save: SaveCart,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, CART_EXPIRY, (tx, item) => this.expire(tx, item.ref));
  }

  private async expire(tx: TenantTx, id: string): Promise<void> {
    const cart = await carts.get(tx, id, { lock: 'update' });
    if (cart?.status !== 'open' || cart.expiresAt > tx.now) return;
    cart.status = 'expired';
    cart.expiredAt = new Date();
    const isKnown = cart.customerId !== null || cart.customerEmail !== null;
    await this.save.expire(tx, cart, isKnown ? 'cart.abandoned' : null);
  }
}
