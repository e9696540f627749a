import { newUuid, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { CustomerRow } from '../db/customer.row.js';
import { textOrNull } from '../fields.js';
import { BillImmediately } from '../charging/bill-immediately.js';
import { activate, extendTrial, revokeTrial } from '../domain/subscriptions/activate.js';
import { cancel, endNow, revokeCancellation, terminate } from '../domain/subscriptions/cancel.js';
import { pause, resume } from '../domain/subscriptions/pause.js';
import type { StoredAgreement } from './agreement.js';
import { ChangeAgreement } from './change-agreement.js';
import type { SubscriptionJson } from './subscription.schema.js';
import { mustTakeSubscriptions } from './references.js';
import { ReadSubscriptions } from './subscription.read.js';
import type { ActivateDto, CancelDto, ExtendTrialDto, ResumeDto, TerminateDto } from './subscription.dto.js';

const date = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** The moves of a subscription through its states. The rules and their refusals are in `domain/subscriptions`. */
@Injectable()
export class SubscriptionLifecycle {
  constructor(
    private readonly change: ChangeAgreement,
    private readonly billImmediately: BillImmediately,
    private readonly read: ReadSubscriptions,
  ) {}

  async activate(tx: TenantTx, id: string, body: ActivateDto): Promise<SubscriptionJson> {
    const json = await this.change.execute(tx, id, ({ agreement, customer, prices, zones, group }) => ({
      agreement: activate(ofActive(customer, agreement), prices.priceOf, {
        now: tx.now,
        zone: zones.customer,
        trialDays: body.trialDays ?? null,
        billingStart: date(body.billingStart),
        group,
      }),
      notices: [{ type: 'subscription.activated' }],
    }));
    return body.billImmediately ? this.billed(tx, id) : json;
  }

  pause(tx: TenantTx, id: string): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, ({ agreement, zones }) => ({
      agreement: pause(agreement, tx.now, zones.customer),
      notices: [{ type: 'subscription.paused' }],
    }));
  }

  resume(tx: TenantTx, id: string, body: ResumeDto): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, ({ agreement, prices, zones }) => ({
      agreement: resume(agreement, prices.priceOf, {
        now: tx.now,
        zone: zones.customer,
        nextBillingDate: date(body.nextBillingDate),
        billMissedPeriods: body.billMissedPeriods ?? false,
      }),
      notices: [{ type: 'subscription.resumed' }],
    }));
  }

  cancel(tx: TenantTx, id: string, body: CancelDto): Promise<SubscriptionJson> {
    if (body.cancellationDateType !== 'custom' && body.cancellationDate) {
      throw validationFailed(
        'cancellationDate',
        'cancellationDate is allowed for the type custom only.',
        'not_allowed',
      );
    }
    return this.change.execute(tx, id, ({ agreement, prices, zones }) => ({
      agreement: withReason(
        cancel(agreement, prices.priceOf, {
          now: tx.now,
          zone: zones.customer,
          cancellationDateType: body.cancellationDateType,
          cancellationDate: date(body.cancellationDate),
        }),
        textOrNull(body.reason),
        tx.now,
      ),
      notices: [
        {
          type: 'subscription.cancelled',
          metadata: { reason: body.reason ?? null, confirmationEmail: body.sendConfirmationEmail ?? true },
        },
      ],
    }));
  }

  revokeCancellation(tx: TenantTx, id: string): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, ({ agreement, customer, prices, zones }) => ({
      agreement: withReason(
        revokeCancellation(ofActive(customer, agreement), prices.priceOf, tx.now, zones.customer),
        null,
        tx.now,
      ),
      notices: [{ type: 'subscription.cancellation.revoked' }],
    }));
  }

  /** Unused time is credited where the request wants it, as a separate document. */
  async terminate(tx: TenantTx, id: string, body: TerminateDto): Promise<SubscriptionJson> {
    const billedInvoice = body.credit === 'pro_rata' ? await this.creditUnused(tx, id) : null;
    const json = await this.end(tx, id);
    return billedInvoice ? { ...json, billedInvoice } : json;
  }

  /** What has ended today is credited, a pause that is to be credited too, and nothing else of it is billed any more. */
  private async creditUnused(tx: TenantTx, subscriptionId: string): Promise<{ id: string } | null> {
    let paid: string[] = [];
    await this.change.execute(tx, subscriptionId, ({ agreement, prices, zones }) => {
      const ended = endNow(agreement, prices.priceOf, tx.now, zones.customer);
      paid = ended.items
        .filter(
          ({ billedTo, creditFrom }) =>
            creditFrom !== null ||
            (billedTo !== null && ended.subscription.endsOn !== null && billedTo > ended.subscription.endsOn),
        )
        .map((item) => item.id);
      return { agreement: ended, notices: [] };
    });
    if (paid.length === 0) return null;
    return this.billImmediately.execute(tx, { subscriptionId, itemIds: paid, operationId: newUuid() });
  }

  private end(tx: TenantTx, id: string): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, ({ agreement, zones }) => ({
      agreement: terminate(agreement, tx.now, zones.customer),
      notices: [{ type: 'subscription.terminated' }],
    }));
  }

  extendTrial(tx: TenantTx, id: string, body: ExtendTrialDto): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, ({ agreement, prices, zones, group }) => ({
      agreement: extendTrial(agreement, prices.priceOf, {
        now: tx.now,
        zone: zones.customer,
        group,
        trialEndsOn: new Date(body.trialEndsOn),
      }),
      notices: [{ type: 'subscription.trial.extended', metadata: { trialEndsOn: body.trialEndsOn } }],
    }));
  }

  /** The trial ends now and its first period is billed at once, as a separate invoice. */
  async revokeTrial(tx: TenantTx, id: string): Promise<SubscriptionJson> {
    await this.change.execute(tx, id, ({ agreement, prices, zones, group }) => ({
      agreement: revokeTrial(agreement, prices.priceOf, { now: tx.now, zone: zones.customer, group }),
      notices: [{ type: 'subscription.trial.revoked' }],
    }));
    return this.billed(tx, id);
  }

  private async billed(tx: TenantTx, subscriptionId: string): Promise<SubscriptionJson> {
    const billing = { subscriptionId, itemIds: null, operationId: newUuid() };
    const billedInvoice = await this.billImmediately.execute(tx, billing);
    return { ...(await this.read.get(tx, subscriptionId)), billedInvoice };
  }
}

/** @throws DomainError `customer_archived` */
function ofActive(customer: CustomerRow, agreement: StoredAgreement): StoredAgreement {
  mustTakeSubscriptions(customer);
  return agreement;
}

function withReason({ subscription, items }: StoredAgreement, reason: string | null, now: Date): StoredAgreement {
  const at = now.toISOString();
  const cancellationReason =
    reason === null ? null : { id: newUuid(), code: 'other', name: reason, createdAt: at, updatedAt: at };
  return { subscription: { ...subscription, cancellationReason }, items };
}
