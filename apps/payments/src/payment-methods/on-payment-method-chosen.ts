import { type EventOf, paymentMethodChosenV1 } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { makeDefault } from './make-default.js';

/** Billing's `PATCH /customers/{id}/payment-method`: the default flag is owned here. */
@EventConsumer()
export class OnPaymentMethodChosen {
  @Consume(paymentMethodChosenV1)
  async handle(event: EventOf<typeof paymentMethodChosenV1>, tx: TenantTx): Promise<void> {
    const { paymentMethodId, customerId } = event.payload;
    try {
      await makeDefault(tx, paymentMethodId, customerId);
    } catch (error) {
      // Removed between the choice and now: there is nothing left to choose.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
