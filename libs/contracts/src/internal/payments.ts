import type { InvoiceId, PaymentMethodId } from '@kontor/kernel';
import type { MoneyJson } from '@kontor/money';
import type { IntentState } from '../events/payments/intent-changed.v1.js';

/** payments: `POST /internal/payments/record`. Money already received for an invoice; idempotent by `operationId`. */
export interface RecordPaymentRequest {
  operationId: string;
  invoiceId: InvoiceId;
  paymentMethodId: PaymentMethodId;
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
