import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { newUuid, notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { customerMerged } from '@kontor/service-kit';
import { MakeLoginLinks } from '../login-links/make-login-links.js';
import { openSession } from './open-session.js';

/**
 * Opens a session in a customer's name and makes a link to the customer area, which works once.
 * @throws DomainError 404 `not_found` for a customer that this tenant does not have; 410 `customer_merged`.
 */
@Injectable()
export class AuthenticateCustomer {
  constructor(
    private readonly replicas: Replicas,
    private readonly makeLinks: MakeLoginLinks,
  ) {}

  async execute(tx: TenantTx, customerId: string, realNow: Date) {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', customerId);
    if (!customer) throw notFound('Customer');
    if (customer.mergedIntoCustomerId) throw customerMerged(customer.mergedIntoCustomerId);
    const tokens = await openSession(tx, customerId, realNow);
    const request = { id: newUuid(), interaction: null, at: realNow };
    const { links } = await this.makeLinks.execute(tx, request, [customerId]);
    return { data: { ...tokens, customerAreaLink: links[0]!.link } };
  }
}
