import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem, type DueWorker, selectRows } from '@kontor/persistence';
import { PaymentOperationRow } from '../db/payment-operation.row.js';
import { AddPayment, PAYMENT_WORK, SWEEP_AFTER_MS } from './add-payment.js';

/** Resolves payments whose answer did not arrive, by asking again under the same id until payments says what is true. */
@Injectable()
@DueHandler({ kind: PAYMENT_WORK, batchSize: 20 })
export class SweepPaymentOperations implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly addPayment: AddPayment,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.resolve(batch.tenantId, item);
  }

  private async resolve(tenantId: string, item: DueItem): Promise<void> {
    const [operation] = await this.database.tenant(tenantId, (tx) =>
      selectRows(tx, PaymentOperationRow, `t.id = $1 and t.status in ('pending', 'unknown')`, [item.ref]),
    );
    if (operation) {
      try {
        // Ends the operation and its due work together; also when payments refuses it.
        await this.addPayment.ask(tenantId, operation, false);
        return;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.reason !== 'payment_outcome_unknown') return;
      }
    }
    const next = operation ? new Date(Date.now() + SWEEP_AFTER_MS) : null;
    await this.database.tenant(tenantId, (tx) => completeDue(tx, PAYMENT_WORK, item, next));
  }
}
