import { newUuid } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { PlanRow } from '../db/catalogue.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { textOrNull } from '../fields.js';
import { contractDates } from './contract-dates.js';
import { addressFor, partnerFor, paymentMethodFor } from './references.js';
import type { NewSubscriptionDto } from './subscription.dto.js';

interface Owner {
  readonly customerId: string;
  readonly plan: PlanRow | null;
  readonly billingGroupId: string | null;
}

const date = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** A draft without number and items, as a request describes it. @throws DomainError `unknown_reference`, `validation_failed` */
export async function newSubscription(
  tx: TenantTx,
  replicas: Replicas,
  body: NewSubscriptionDto,
  { customerId, plan, billingGroupId }: Owner,
): Promise<SubscriptionRow> {
  const terms = body.period ?? plan?.period ?? null;
  return Object.assign(new SubscriptionRow(), {
    tenantId: tx.tenantId,
    id: newUuid(),
    version: 0,
    number: '',
    externalId: textOrNull(body.externalId),
    customerId,
    planId: plan?.id ?? null,
    name: textOrNull(body.name),
    status: 'draft',
    billingGroupId,
    paymentMethodId: await paymentMethodFor(tx, replicas, customerId, body.paymentMethod, 'paymentMethod'),
    invoiceAddressId: await addressFor(tx, customerId, body.invoiceAddress),
    poNumber: textOrNull(body.poNumber),
    customFields: body.customFields ?? null,
    ...contractDates(body),
    contractPeriodCount: terms ? (terms.contractPeriodCount ?? 1) : null,
    contractPeriod: terms?.contractPeriod ?? null,
    cancellationPeriod: terms?.cancellationPeriod ?? null,
    billingStart: date(body.billingStart),
    trialDays: body.trialDays ?? 0,
    trialEndsOn: null,
    trialEndedAt: null,
    partnerId: await partnerFor(tx, body.partner),
    nextPlanId: null,
    planChange: null,
    anchorOn: null,
    pauses: [],
    activatedAt: null,
    cancellationDate: null,
    cancelledAt: null,
    cancellationReason: null,
    terminatedAt: null,
    endsOn: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  } satisfies SubscriptionRow);
}
