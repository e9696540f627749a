import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { intentState, nextRetryAt } from '../customer-books/books-events.js';
import type { IntentView } from './intent.schema.js';
import { intents } from '../customer-books/intent.row.js';
import { BankOrders } from '../gateways/port/bank-orders.js';

@Injectable()
export class ReadIntent {
  constructor(
    private readonly database: Database,
    private readonly bankOrders: BankOrders,
  ) {}

  /** @throws DomainError `not_found`. */
  execute(tenantId: string, id: string): Promise<IntentView> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const intent = await intents.get(tx, id);
        if (!intent) throw notFound('The payment intent');
        return {
          ...intentState(intent),
          attempts: intent.attempts,
          nextRetryAt: nextRetryAt(intent),
          collectionDate: await this.bankOrders.debitDay(tx, id),
          createdAt: intent.createdAt.toISOString(),
        };
      },
      { readOnly: true },
    );
  }
}
