import { DomainError, unknownReference } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { holdCustomer } from '../customer-books/hold-customer.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { readPositiveAmount } from '../wallet/read-amount.js';
import { requireWallet } from '../wallet/wallet-feature.js';
import { canTopUp, methodOfCustomer, startTopUp } from './new-top-up.js';
import { representTopUp } from './represent-top-up.js';
import type { TopUpDto } from './top-up.dto.js';

/** Starts a top-up that somebody asked for: credit as soon as the money is there. */
@Injectable()
export class TopUpWallet {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly customerBooks: CustomerBooks,
  ) {}

  /**
   * @throws DomainError `feature_not_enabled`, `validation_failed` (amount), `unknown_reference` (customer, method), `customer_anonymized`,
   * `payment_method_required`, `amount_out_of_range`.
   */
  execute(tenantId: string, customerId: string, dto: TopUpDto) {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      const amountMinor = readPositiveAmount('amount', dto.amount, dto.currencyCode);
      await holdCustomer(this.replicas, tx, customerId);
      await lockCustomers(tx, [customerId]);
      const method = await methodOfCustomer(tx, customerId, dto.paymentMethodId ?? null);
      if (!method && dto.paymentMethodId) throw unknownReference('paymentMethodId', 'payment method');
      if (!method || !canTopUp(method, dto.currencyCode, true))
        throw new DomainError('payment_method_required', {
          detail: method
            ? `The payment method (${method.gatewayName}, ${method.status}) cannot pay a top-up in ${dto.currencyCode}.`
            : 'The customer has no default payment method; name one or add it first.',
        });
      const request = { customerId, currencyCode: dto.currencyCode, amountMinor, ruleId: null };
      return representTopUp(await startTopUp(tx, this.customerBooks, request, method));
    });
  }
}
