import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem, type DueWorker } from '@kontor/persistence';
import { paymentOperationTable } from './payment-operation.row.js';
import { PAYMENT_WORK } from '../due-kinds.js';
import { AddPayment, SWEEP_AFTER_MS } from './add-payment.js';

/** Resolves payments whose answer did not arrive, by asking again with the same id until payments answers. */
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
    const operation = await this.database.tenant(tenantId, (tx) =>
      paymentOperationTable.findOne(tx, { id: item.ref, status: ['pending', 'unknown'] }),
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
