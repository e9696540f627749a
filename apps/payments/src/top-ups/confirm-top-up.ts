import { invalidTransition, notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { methods } from '../db/tables.js';
import { recordPayment } from '../domain/payments.js';
import { requireWallet } from '../wallet/wallet-feature.js';
import { representTopUp } from './represent-top-up.js';
import { topUps } from './top-up-tables.js';

/** The transfer for a top-up has arrived: its money becomes credit. */
@Injectable()
export class ConfirmTopUp {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition` unless it waits for a transfer. */
  execute(tenantId: string, id: string) {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      const [seen] = await topUps.find(tx, 'id = $2', [id]);
      if (!seen) throw notFound('The top-up');
      await lockCustomers(tx, [seen.customerId]);
      const [topUp] = await topUps.find(tx, 'id = $2', [id]);
      const [method] = await methods.find(tx, 'id = $2', [seen.paymentMethodId]);
      if (topUp?.status !== 'pending' || !topUp.intentId || method?.gatewayName !== 'bank_transfer')
        throw invalidTransition('top-up', topUp?.status ?? 'gone', 'confirm');
      const customerIds = [topUp.customerId];
      const books = await loadBooks(this.replicas, tx, { customerIds, intentIds: [topUp.intentId], crediting: customerIds });
      recordPayment(books, books.intent(topUp.intentId), method, {
        operationId: `top-up:${topUp.id}`,
        amountMinor: null,
        currencyCode: null,
        feeMinor: null,
        paymentDate: null,
        description: `Top-up ${topUp.reference}`,
      });
      await saveBooks(tx, books);
      const [completed] = await topUps.find(tx, 'id = $2', [id]);
      return representTopUp(completed ?? topUp);
    });
  }
}
