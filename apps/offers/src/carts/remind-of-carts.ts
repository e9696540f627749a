import { Database, type DueBatch, DueHandler, eachDueItem, Replicas, type TenantTx } from '@kontor/persistence';
import type { CustomerState } from '@kontor/contracts';
import { Injectable } from '@nestjs/common';
import { carts } from './cart.row.js';
import { OrderMails } from './order-mails.js';
import { CART_REMINDER } from './save-cart.js';

/** Reminds buyers of carts that they left, once, where their link wants it and an address is known. */
@Injectable()
@DueHandler({ kind: CART_REMINDER, batchSize: 50 })
export class RemindOfCarts {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly mails: OrderMails,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, CART_REMINDER, (tx, item) => this.remind(tx, item.ref));
  }

  private async remind(tx: TenantTx, id: string): Promise<void> {
    const cart = await carts.get(tx, id, { lock: 'update' });
    if (cart?.status !== 'open' || cart.remindedAt !== null || cart.expiresAt <= tx.now) return;
    const customer =
      cart.customerId === null ? null : await this.replicas.get<CustomerState>(tx, 'customer', cart.customerId);
    const email = cart.customerEmail ?? customer?.email ?? null;
    if (email === null) return;
    cart.remindedAt = tx.now;
    await carts.update(tx, cart, ['remindedAt']);
    await this.mails.remind(tx, cart, email, customer);
  }
}
