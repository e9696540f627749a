import { type EventOf, invoicePaymentMethodChosenV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { ChangeIntentMethod } from './change-intent-method.js';

/** Another method was named for an unpaid document: what is open is collected by it. */
@EventConsumer()
export class OnInvoicePaymentMethodChosen {
  constructor(private readonly changeMethod: ChangeIntentMethod) {}

  @Consume(invoicePaymentMethodChosenV1)
  async handle(event: EventOf<typeof invoicePaymentMethodChosenV1>, tx: TenantTx): Promise<void> {
    await this.changeMethod.execute(tx, event.payload.invoiceId, event.payload.paymentMethodId);
  }
}
