import { Injectable } from '@nestjs/common';
import { paymentMethodChosenV1, type PaymentMethodState } from '@kontor/contracts';
import { unknownReference, validationFailed } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import { lockCustomer } from './customer-aggregate.js';
import { representCustomer } from './represent-customer.js';
import type { CustomerJson } from './customer.schema.js';

const WAIT_MS = 2000;
const POLL_MS = 20;

/**
 * Makes a payment method the customer's default. The methods' owner does it when it hears of the choice; the answer
 * waits up to 2 s until that has come back, so that the next request sees it.
 * @throws DomainError `not_found`, `unknown_reference`, `validation_failed` for a revoked or expired method
 */
@Injectable()
export class ChoosePaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  async execute(tenantId: string, id: string, paymentMethodId: string): Promise<CustomerJson> {
    const customer = await this.database.tenant(tenantId, (tx) => this.choose(tx, id, paymentMethodId));
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline && !(await this.isDefault(tenantId, paymentMethodId)))
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    return customer;
  }

  private async choose(tx: TenantTx, id: string, paymentMethodId: string): Promise<CustomerJson> {
    const { customer, addresses } = await lockCustomer(tx, id);
    const method = await this.replicas.get<PaymentMethodState>(tx, 'payment_method', paymentMethodId);
    if (method?.customerId !== id) throw unknownReference('paymentMethodId', 'payment method');
    if (method.status === 'revoked' || method.status === 'expired') {
      throw validationFailed('paymentMethodId', `The payment method is ${method.status}.`, 'not_usable');
    }
    if (!method.default) {
      customer.version += 1;
      await tables.customers.update(tx, customer, ['version']);
      await appendEvent(tx, paymentMethodChosenV1, {
        aggregateId: id,
        aggregateSeq: customer.version,
        payload: { customerId: id, paymentMethodId },
      });
    }
    return representCustomer(customer, addresses);
  }

  private isDefault(tenantId: string, paymentMethodId: string): Promise<boolean> {
    return this.database.tenant(
      tenantId,
      async (tx) =>
        (await this.replicas.get<PaymentMethodState>(tx, 'payment_method', paymentMethodId))?.default ?? false,
      { readOnly: true },
    );
  }
}
