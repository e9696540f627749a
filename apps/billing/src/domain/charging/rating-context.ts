import type { Day } from '@kontor/kernel';
import type { AppliedDiscount, DiscountUse } from '../discounts/applied-discount.js';
import type { MeteredPeriod } from '../metering/metered.js';
import type { BillingGroupDate } from '../periods/billing-group.js';
import type { BilledCharge } from './credit-unused.js';
import type { ItemTerms, PriceOf, SubscriptionTerms } from '../subscriptions/subscription.js';
import type { BilledUsage } from './correct-usage.js';
import type { InvoiceRoute } from './group-charges.js';

/** Who gets an invoice. */
export interface Recipient {
  readonly customerId: string;
  readonly customerVersion: number;
  readonly currencyCode: string;
  readonly language: string;
  readonly zone: string;
}

/** A billing account as a run reads it. */
export interface Account extends Recipient {
  /** Who gets its invoices: itself, or the one above it that pays for it. */
  readonly payerId: string;
  readonly name: string;
  readonly customerNumber: string;
  readonly version: bigint;
  /** Number of batches so far. */
  readonly chargesSeq: bigint;
  readonly requestedRunId: string | null;
  readonly requestedDate: Day | null;
  readonly archived: boolean;
  readonly billingDisabled: boolean;
  /** Hours that usage has to arrive after its period. */
  readonly usageGraceHours: number;
  /** Whether lines that are all worth nothing make a document. */
  readonly createZeroInvoices: boolean;
  /** Billed periods whose usage has changed. */
  readonly corrections: readonly PendingCorrection[];
  readonly subscriptions: readonly AccountSubscription[];
}

export interface AccountSubscription {
  readonly subscription: BillableSubscription;
  readonly items: readonly BillableItem[];
}

/** A subscription as its lines show it; the stored row fits as it is. */
export interface BillableSubscription extends SubscriptionTerms {
  readonly id: string;
  readonly number: string;
  /** Null: the plan's. */
  readonly name: string | null;
  readonly planId: string | null;
  readonly billingGroupId: string | null;
  readonly paymentMethodId: string | null;
  readonly invoiceAddressId: string | null;
  readonly poNumber: string | null;
  readonly customFields: Record<string, string> | null;
}

/** An item with everything that charging it changes; the stored row fits as it is. */
export interface BillableItem extends ItemTerms {
  readonly name: string | null;
  readonly description: string | null;
  readonly billedFrom: Day | null;
  readonly lastBilledAt: Date | null;
  readonly nextDueOn: Day | null;
  readonly nextDueMetered: boolean;
  readonly discounts: readonly AppliedDiscount[] | null;
  readonly discountUses: readonly DiscountUse[] | null;
  readonly revision: number;
  readonly updatedAt: Date;
}

/** A correction that waits for its account's next billing. */
export interface PendingCorrection extends BilledUsage {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly markedOn: Day;
  /** Who got the period's first line; null: the account itself. */
  readonly recipientId: string | null;
  /** Nothing else of the account falls due any more. */
  readonly alone: boolean;
  /** When something of the account's other subscriptions falls due next; null: never. */
  readonly othersDueOn: Day | null;
}

/** A product as documents show it. */
export interface BillableProduct {
  readonly id: string;
  readonly type: 'product' | 'charge' | 'plan';
  readonly name: string;
  readonly description: string | null;
  readonly translations: Record<string, { name?: string | null; description?: string | null }> | null;
  readonly invoiceVisibility: 'always' | 'only_if_charged';
  readonly isGood: boolean;
  readonly unitId: string | null;
  readonly taxGroupId: string;
  readonly customFields: Record<string, string> | null;
}

export interface PriceList {
  readonly priceOf: PriceOf;
  readonly productOf: (pricePlanId: string) => BillableProduct;
}

/** Everything that rating a batch of accounts looks at. */
export interface RatingContext {
  readonly now: Date;
  readonly tenantZone: string;
  readonly accounts: readonly Account[];
  /** The accounts' payers, and whoever got an invoice that may have to be credited; of one that was merged the survivor. */
  readonly recipients: ReadonlyMap<string, Recipient>;
  readonly prices: PriceList;
  readonly groups: ReadonlyMap<string, BillingGroupDate>;
  readonly plans: ReadonlyMap<string, { readonly name: string }>;
  readonly units: ReadonlyMap<string, { readonly id: string; readonly name: string }>;
  /** Earlier lines that may have to be credited, by item. */
  readonly billed: ReadonlyMap<string, readonly BilledCharge[]>;
  readonly routeOf: (subscription: BillableSubscription) => InvoiceRoute;
  /** The key under which the quantity of a period is measured. */
  readonly closingIdOf: (period: MeteredPeriod) => string;
}
