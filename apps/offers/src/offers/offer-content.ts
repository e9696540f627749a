import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CustomerState, SubscriptionState } from '@kontor/contracts';
import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { assertItems } from '../domain/offers/items.js';
import type { ContactPerson, Offer, OfferContent } from '../domain/offers/offer.js';
import { writeSections } from '../domain/offers/write-sections.js';
import { findApprovers } from './find-approvers.js';
import { offerSettings } from './offer-settings.js';
import type { OfferContactDto, OfferDto } from './offer.dto.js';

/** Reads an offer's content from a request and checks what it refers to. */
@Injectable()
export class ReadOfferContent {
  constructor(private readonly replicas: Replicas) {}

  /**
   * @throws DomainError `unknown_reference`, `customer_archived`, `validation_failed` for another customer's
   * subscription, `template_invalid`
   */
  async execute(tx: TenantTx, body: OfferDto): Promise<OfferContent> {
    const customer = await this.replicas.hold<CustomerState>(tx, 'customer', body.customer.toLowerCase());
    if (!customer) throw unknownReference('customer');
    if (customer.status === 'STATUS_ARCHIVED')
      throw new DomainError('customer_archived', { detail: 'The customer is archived and gets no new offers.' });
    if (body.subscription) await this.checkSubscription(tx, body.subscription, customer.id);
    const content = {
      customerId: customer.id,
      name: body.name ?? null,
      dealType: body.dealType ?? 'new_business',
      acceptanceMode: body.acceptanceMode ?? 'click',
      locale: body.locale ?? customer.language,
      subscriptionId: body.subscription ?? null,
      autoActivateSubscription: body.autoActivateSubscription ?? true,
      crmDealId: body.crmDealId ?? null,
      customVariables: body.customVariables ?? null,
      sections: body.sections ?? [],
      contactPerson: body.contactPerson ? contactOf(body.contactPerson) : null,
    };
    assertItems(content);
    writeSections(content);
    return content;
  }

  /**
   * What is asked of staff and of recipients about the offer; it is no part of what is agreed to.
   * @param before Who was named already: they stay, also when they are no users any more
   * @throws DomainError `unknown_reference` for an approver who is no user
   */
  async aside(
    tx: TenantTx,
    { approvers, reminderDays }: OfferDto,
    before: readonly string[] = [],
  ): Promise<Pick<Offer, 'approvers' | 'reminderDays'>> {
    const named = [...new Set(approvers ?? [])];
    const added = named.filter((id) => !before.includes(id));
    await findApprovers(tx, this.replicas, added);
    const settings = reminderDays ? null : await offerSettings(tx, this.replicas);
    return {
      approvers: named,
      reminderDays: [...new Set(reminderDays ?? settings?.reminderDays ?? [])],
    };
  }

  private async checkSubscription(tx: TenantTx, id: string, customerId: string): Promise<void> {
    const subscription = await this.replicas.get<SubscriptionState>(tx, 'subscription', id);
    if (!subscription) throw unknownReference('subscription');
    if (subscription.customerId !== customerId)
      throw validationFailed('subscription', 'The subscription belongs to another customer.', 'foreign_subscription');
  }
}

const contactOf = ({ firstName, lastName, role, email, phone }: OfferContactDto): ContactPerson => ({
  firstName: firstName ?? null,
  lastName,
  role: role ?? null,
  email: email ?? null,
  phone: phone ?? null,
});

/** Two contents with the same hash read the same. */
export const hashOf = (content: OfferContent): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        content.customerId,
        content.name,
        content.dealType,
        content.acceptanceMode,
        content.locale,
        content.subscriptionId,
        content.autoActivateSubscription,
        content.crmDealId,
        content.customVariables,
        content.sections,
        content.contactPerson,
      ]),
    )
    .digest('hex');
