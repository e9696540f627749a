import { type EventOf, invoiceChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { carts } from './cart.row.js';
import { SaveCart } from './save-cart.js';

/** The first invoice of a cart is paid; the order itself may still be under way then. */
@EventConsumer()
export class OnCartInvoicePaid {
  constructor(private readonly save: SaveCart) {}

  @Consume(invoiceChangedV1)
  async handle({ payload }: EventOf<typeof invoiceChangedV1>, tx: TenantTx): Promise<void> {
    const { state } = payload;
    if (state?.status !== 'STATUS_PAID') return;
    const [cart] = await carts.find(tx, { invoiceId: state.id }, { lock: 'update' });
    if (!cart || cart.invoicePaid) return;
    cart.invoicePaid = true;
    if (cart.status === 'confirming') return carts.update(tx, cart, ['invoicePaid']);
    cart.status = 'paid';
    await this.save.execute(tx, cart, 'cart.paid');
  }
}
