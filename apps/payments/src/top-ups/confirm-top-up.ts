import { invalidTransition, notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { recordPayment } from '../domain/intents/record-payment.js';
import { requireWallet } from '../wallet/wallet-feature.js';
import { representTopUp } from './represent-top-up.js';
import { topUps } from './top-up.row.js';

/** The transfer for a top-up has arrived: its money becomes credit. */
@Injectable()
export class ConfirmTopUp {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly customerBooks: CustomerBooks,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition` unless it waits for a transfer. */
  execute(tenantId: string, id: string) {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      const seen = await topUps.get(tx, id);
      if (!seen) throw notFound('The top-up');
      await lockCustomers(tx, [seen.customerId]);
      const topUp = await topUps.get(tx, id);
      const [method] = await methods.where(tx, 'id = $2', [seen.paymentMethodId]);
      if (topUp?.status !== 'pending' || !topUp.intentId || method?.gatewayName !== 'bank_transfer')
        throw invalidTransition('top-up', topUp?.status ?? 'gone', 'confirm');
      const customerIds = [topUp.customerId];
      const books = await this.customerBooks.load(tx, {
        customerIds,
        intentIds: [topUp.intentId],
        crediting: customerIds,
      });
      recordPayment(books, books.intent(topUp.intentId), method, {
        operationId: `top-up:${topUp.id}`,
        amountMinor: null,
        currencyCode: null,
        feeMinor: null,
        paymentDate: null,
        description: `Top-up ${topUp.reference}`,
      });
      await this.customerBooks.save(tx, books);
      const completed = await topUps.get(tx, id);
      return representTopUp(completed ?? topUp);
    });
  }
}
