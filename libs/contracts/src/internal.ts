import type { MoneyJson } from '@kontor/money';
import type { IntentState } from './events/payments.js';
import type { Principal } from './principal.js';
import type { ServiceName } from './services.js';

/** identity: `POST /internal/tokens/verify`. */
export interface VerifyTokenRequest {
  token: string;
}
export interface VerifyTokenResponse {
  principal: Principal;
  mode: 'live' | 'sandbox';
  /** ISO instant, null when it does not expire. */
  expiresAt: string | null;
}

/** payments: `POST /internal/payments/record`. Money already received for an invoice; idempotent by `operationId`. */
export interface RecordPaymentRequest {
  operationId: string;
  invoiceId: string;
  paymentMethodId: string;
  description: string;
  /** Absent: the open amount. */
  amount: MoneyJson | null;
  /** What the caller named, even when no amount was given. */
  currencyCode: string | null;
  feeAmount: MoneyJson | null;
  /** ISO instant; absent: now. */
  paymentDate: string | null;
}
export interface RecordPaymentResponse {
  /** The same state and version that the event carries. */
  intent: IntentState;
  version: number;
  transactionId: string;
}

/** identity → every service: `GET /internal/clock/:tenantId`. Counters are per tenant; equal means quiescent. */
export interface ClockProgress {
  now: string;
  /** Earliest due work, ISO instant. */
  nextDue: string | null;
  claimed: number;
  /** Outbox rows not yet published. */
  unpublished: number;
  /** Events ever published by this service, by topic. */
  published: Record<string, number>;
  /** Events ever applied here, by `consumer` then topic. */
  applied: Record<string, Record<string, number>>;
  parked: number;
}

/** Every service that keeps objects of customers: `GET /internal/customers/:id/references`. Empty: it may be deleted. */
export interface CustomerReferencesResponse {
  /** Kinds of objects that refer to the customer: `invoice`, `payment_method`. */
  references: string[];
}

/** In place of a notice's data that is too large for its event: whoever delivers it fetches it once from its owner. */
export interface StoredNoticeData {
  $stored: {
    service: ServiceName;
    /** Internal GET that answers the data: `/internal/stored-notices/<id>`. */
    path: string;
  };
}

/** Where a notice's data are to be fetched; null when they are the data themselves. */
export const storedNoticeOf = (data: Readonly<Record<string, unknown>>): StoredNoticeData['$stored'] | null =>
  (data as Partial<StoredNoticeData>).$stored ?? null;

/** One period of a subscription item of which the usage is wanted. */
export interface UsagePeriod {
  /** UUID, the same whenever the same period is asked for: the closing's id. */
  id: string;
  itemId: string;
  customerId: string;
  metricId: string;
  /** ISO instants, half-open. */
  from: string;
  to: string;
  /** Properties of the metric's groupBy whose values choose a price. */
  groupBy: string[];
}

export interface UsageAmount {
  id: string;
  /** Exact decimal, rounded as the metric says. */
  quantity: string;
  /** Only what was asked for by groupBy. */
  groups: { group: Record<string, string>; quantity: string }[];
}

/**
 * usage: `POST /internal/closings` freezes the usage of periods: asked again, an id has the same amounts whatever has arrived since.
 * `POST /internal/closings/preview` answers usage so far and keeps nothing.
 */
export interface CloseUsageRequest {
  periods: UsagePeriod[];
}
export interface CloseUsageResponse {
  amounts: UsageAmount[];
  /** Periods that cannot be measured: `unknown_reference` for a metric or a group that is not there. */
  refused: { id: string; reason: string }[];
  /** Periods that are still being measured: ask again. */
  open: string[];
}

/** A document as payments needs to know it where it has no intent. */
export interface InvoiceReference {
  id: string;
  customerId: string;
}
