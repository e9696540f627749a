import { paymentMethodLinkCreatedV1, type TenantState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, Replicas } from '@kontor/persistence';
import { customerMerged, ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { holdCustomer } from '../customer-books/hold-customer.js';
import { checkRedirectUrl } from '../payment-methods/redirect-url.js';
import { digestOf, newToken } from '../payment-methods/tokens.js';
import type { CreateMethodLinkDto } from './link.dto.js';
import { LINK_LIFE_MS, LINK_PATH } from './link-address.js';
import { methodLinks } from '../db/method-link.row.js';
import { gatewaysOf } from './offered-methods.js';

/** Makes a link with which a customer adds a way to pay. Who has it needs nothing else, so only its digest is kept. */
@Injectable()
export class CreateMethodLink {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly config: ServiceConfig,
  ) {}

  /** @throws DomainError `unknown_reference` (customer), `customer_anonymized`, `validation_failed` (redirectUrl). */
  execute(tenantId: string, dto: CreateMethodLinkDto): Promise<{ link: string; expiresAt: string }> {
    const token = newToken();
    const link = `${this.config.publicUrl}${LINK_PATH}/${token}`;
    return this.database.tenant(tenantId, async (tx) => {
      const customer = await holdCustomer(this.replicas, tx, dto.customerId);
      if (customer.mergedIntoCustomerId) throw customerMerged(customer.mergedIntoCustomerId);
      const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
      const redirectUrl = dto.redirectUrl ? checkRedirectUrl(dto.redirectUrl, tenant?.mode ?? 'live') : null;
      const id = newUuid();
      const expiresAt = new Date(Date.now() + LINK_LIFE_MS);
      await methodLinks.insert(tx, [
        {
          id,
          customerId: dto.customerId,
          tokenDigest: digestOf(token),
          allowedGateways: gatewaysOf(dto.allowedTypes ?? []),
          redirectUrl,
          expiresAt,
          methodId: null,
          createdAt: tx.now,
        },
      ]);
      if (dto.sendEmail === true) {
        const payload = { linkId: id, customerId: dto.customerId, link, expiresAt: expiresAt.toISOString() };
        await appendEvent(tx, paymentMethodLinkCreatedV1, { aggregateId: id, aggregateSeq: 1, payload });
      }
      return { link, expiresAt: expiresAt.toISOString() };
    });
  }
}
