import { type EventOf, invoiceChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { carts } from './cart.row.js';
import { SaveCart } from './save-cart.js';

type InvoiceChanged = EventOf<typeof invoiceChangedV1>;

/** The first invoice of a cart is paid; the order itself may still be under way then. Of most paid invoices there is no cart. */
@EventConsumer()
export class OnCartInvoicePaid {
  constructor(private readonly save: SaveCart) {}

  @Consume(invoiceChangedV1, {
    batch: true,
    concerns: ({ payload }: InvoiceChanged) => payload.state?.status === 'STATUS_PAID',
  })
  async handle(events: InvoiceChanged[], tx: TenantTx): Promise<void> {
    const invoiceId = events.map(({ payload }) => payload.id);
    const paid = await carts.find(tx, { invoiceId, invoicePaid: false }, { orderBy: { id: 'asc' }, lock: 'update' });
    for (const cart of paid) {
      cart.invoicePaid = true;
      if (cart.status === 'confirming') await carts.update(tx, cart, ['invoicePaid']);
      else {
        cart.status = 'paid';
        await this.save.execute(tx, cart, 'cart.paid');
      }
    }
  }
}
