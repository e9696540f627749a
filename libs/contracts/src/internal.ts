import type { MoneyJson } from '@kontor/money';
import type { IntentState } from './events/payments.js';
import type { Principal } from './principal.js';

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
