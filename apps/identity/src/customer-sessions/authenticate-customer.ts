import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { newUuid, notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { newBearerSecret } from '@kontor/service-kit';
import { customerSessions } from '../db/customer-session.row.js';
import { digestOf } from '../tokens/secret.js';

const ACCESS_SECONDS = 3600;
const REFRESH_DAYS = 30;

/**
 * Opens a session in a customer's name. Its tokens act on that customer alone.
 * @throws DomainError 404 `not_found` for a customer that this tenant does not have.
 */
@Injectable()
export class AuthenticateCustomer {
  constructor(private readonly replicas: Replicas) {}

  async execute(tx: TenantTx, customerId: string, realNow: Date) {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', customerId);
    if (!customer) throw notFound('Customer');
    const accessToken = newBearerSecret('cus_');
    const refreshToken = newBearerSecret('cur_');
    await customerSessions.insert(tx, {
      id: newUuid(),
      customerId,
      accessDigest: digestOf(accessToken),
      accessExpiresAt: new Date(realNow.getTime() + ACCESS_SECONDS * 1000),
      refreshDigest: digestOf(refreshToken),
      refreshExpiresAt: new Date(realNow.getTime() + REFRESH_DAYS * 86_400_000),
    });
    return { data: { accessToken, refreshToken, customerAreaLink: null } };
  }
}
