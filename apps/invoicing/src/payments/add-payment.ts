import { Injectable } from '@nestjs/common';
import type { RecordPaymentRequest, RecordPaymentResponse } from '@kontor/contracts';
import { DomainError, invariant, newUuid, validationFailed } from '@kontor/kernel';
import { isExactInMajor, type MoneyJson, parseMajor, toMoneyJson } from '@kontor/money';
import {
  cancelDue,
  Database,
  finishIdempotencyRecord,
  releaseIdempotencyRecord,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { InternalClient, OutcomeUnknown, requestContext, ServiceUnavailable } from '@kontor/service-kit';
import type { InvoiceRow } from '../db/invoice.row.js';
import { mustBeUnpaid } from '../domain/invoices/invoice.js';
import { PAYMENT_WORK } from '../due-kinds.js';
import { lockInvoice } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { FollowIntents } from './follow-intents.js';
import {
  type PaymentOperationRow,
  type PaymentOperationStatus,
  paymentOperationTable,
  refuseWhilePaid,
} from './payment-operation.row.js';

/** Real time after which an operation without outcome is asked for again. */
export const SWEEP_AFTER_MS = 5_000;
const CALL_MS = 2_000;

/** Money that a client reports as received. `amount` is in major units. */
export interface ReportedPayment {
  readonly paymentMethod: string;
  readonly description: string;
  readonly amount: number | null;
  readonly currencyCode: string | null;
  readonly feeAmount: number | null;
  readonly paymentDate: Date | null;
}

/**
 * Records money already received for a document: the operation is committed first, payments is asked outside any
 * transaction with the operation's id, and its answer is applied with the guard of the event.
 */
@Injectable()
export class AddPayment {
  constructor(
    private readonly database: Database,
    private readonly client: InternalClient,
    private readonly showInvoices: ShowInvoices,
    private readonly followIntents: FollowIntents,
  ) {}

  /**
   * @throws DomainError 404; 409 `payment_in_progress`; 422 `invoice_not_unpaid`, `currency_mismatch`,
   * `validation_failed`, `unknown_reference`; 503 `payments_unavailable`, `payment_outcome_unknown`.
   */
  async execute(tenantId: string, invoiceId: string, payment: ReportedPayment): Promise<InvoiceJson> {
    let operation: PaymentOperationRow | undefined;
    // What the transaction returns is the answer to a repeat after a crash, until the sweeper finds the outcome.
    await this.database.tenant(tenantId, async (tx) => {
      operation = await this.begin(tx, invoiceId, payment);
      return this.showInvoices.byId(tx, invoiceId);
    });
    invariant(operation, 'a payment that was begun has its operation');
    return this.ask(tenantId, operation, true);
  }

  /**
   * Asks payments; the operation's id makes it the same payment each time. Only the first try may conclude from an
   * unreachable service that nothing has happened: an earlier one may have arrived.
   */
  async ask(tenantId: string, operation: PaymentOperationRow, isFirst: boolean): Promise<InvoiceJson> {
    let answer: RecordPaymentResponse;
    try {
      answer = await this.client.call<RecordPaymentResponse>(
        'payments',
        'POST',
        '/internal/payments/record',
        operation.request,
        {
          tenantId,
          idempotencyKey: operation.id,
          timeoutMs: CALL_MS,
        },
      );
    } catch (error) {
      throw await this.failed(tenantId, operation, error, isFirst);
    }
    return this.database.tenant(tenantId, async (tx) => {
      await this.end(tx, operation.id, 'succeeded');
      await this.followIntents.execute(tx, [{ version: answer.version, state: answer.intent }]);
      const paid = await this.showInvoices.byId(tx, operation.invoiceId);
      if (!isFirst && operation.idempotency)
        await finishIdempotencyRecord(tx, { tenantId, ...operation.idempotency }, 201, paid);
      return paid;
    });
  }

  private async begin(tx: TenantTx, invoiceId: string, payment: ReportedPayment): Promise<PaymentOperationRow> {
    const invoice = await lockInvoice(tx, invoiceId);
    // First: the event of a payment whose answer was lost may have come, and a repeat of that is no payment of a paid document.
    await refuseWhilePaid(tx, invoiceId);
    mustBeUnpaid(invoice);
    const id = newUuid();
    const operation: PaymentOperationRow = {
      tenantId: tx.tenantId,
      id,
      invoiceId,
      status: 'pending',
      request: requestOf(id, invoice, payment, tx.now),
      idempotency: usedKey(),
      refusal: null,
      createdAt: tx.now,
      resolvedAt: null,
    };
    await paymentOperationTable.insert(tx, operation);
    await scheduleDue(tx, { kind: PAYMENT_WORK, ref: id, dueAt: new Date(Date.now() + SWEEP_AFTER_MS), wall: true });
    return operation;
  }

  /** The error for the caller, after the operation has been marked with it. */
  private async failed(
    tenantId: string,
    operation: PaymentOperationRow,
    error: unknown,
    isFirst: boolean,
  ): Promise<Error> {
    const stillRunning = error instanceof DomainError && error.reason === 'request_in_progress';
    if (error instanceof OutcomeUnknown || stillRunning || (error instanceof ServiceUnavailable && !isFirst)) {
      await this.database.tenant(tenantId, (tx) => mark(tx, operation.id, 'unknown', null));
      return new DomainError('payment_outcome_unknown', {
        kind: 'unavailable',
        detail: 'Payments did not answer in time. The payment is being looked up; do not send it again.',
        retryAfterSeconds: 5,
      });
    }
    if (error instanceof ServiceUnavailable) {
      await this.database.tenant(tenantId, (tx) => this.end(tx, operation.id, 'cancelled'));
      return new DomainError('payments_unavailable', {
        kind: 'unavailable',
        detail: 'Payments cannot be reached. Nothing was recorded.',
        retryAfterSeconds: 5,
      });
    }
    if (error instanceof DomainError) {
      await this.database.tenant(tenantId, async (tx) => {
        await this.end(tx, operation.id, 'refused', error.reason);
        if (!isFirst && operation.idempotency)
          await releaseIdempotencyRecord(tx, { tenantId, ...operation.idempotency });
      });
      return error;
    }
    return error as Error;
  }

  private async end(
    tx: TenantTx,
    id: string,
    status: PaymentOperationStatus,
    refusal: string | null = null,
  ): Promise<void> {
    await mark(tx, id, status, refusal);
    await cancelDue(tx, PAYMENT_WORK, id);
  }
}

/** The key of the request in hand. */
function usedKey(): PaymentOperationRow['idempotency'] {
  const claim = requestContext()?.idempotency;
  if (!claim) return null;
  const { operation, key, bodyHash, principal } = claim;
  return { operation, key, bodyHash, principal };
}

async function mark(tx: TenantTx, id: string, status: PaymentOperationStatus, refusal: string | null): Promise<void> {
  const resolved = status !== 'pending' && status !== 'unknown';
  await tx.query(
    `UPDATE payment_operation
     SET status = $2, refusal = $3, resolved_at = CASE WHEN $4 THEN $5::timestamptz END
     WHERE id = $1 AND status IN ('pending', 'unknown')`,
    [id, status, refusal, resolved, tx.now],
  );
}

function requestOf(
  operationId: string,
  invoice: InvoiceRow,
  payment: ReportedPayment,
  now: Date,
): RecordPaymentRequest {
  const currencyCode = payment.currencyCode ?? invoice.currencyCode;
  if (currencyCode !== invoice.currencyCode) {
    throw new DomainError('currency_mismatch', {
      detail: `The document is in ${invoice.currencyCode}.`,
      violations: [
        {
          propertyPath: 'currencyCode',
          message: `The document is in ${invoice.currencyCode}.`,
          code: 'currency_mismatch',
        },
      ],
    });
  }
  if (payment.paymentDate && payment.paymentDate > now)
    throw validationFailed('paymentDate', 'The payment date lies in the future.', 'in_future');
  return {
    operationId,
    invoiceId: invoice.id,
    paymentMethodId: payment.paymentMethod,
    description: payment.description,
    amount: amountOf('amount', payment.amount, currencyCode, (minor) => minor > 0n, 'must be greater than 0'),
    currencyCode: payment.currencyCode,
    feeAmount: amountOf('feeAmount', payment.feeAmount, currencyCode, (minor) => minor >= 0n, 'must not be negative'),
    paymentDate: payment.paymentDate?.toISOString() ?? null,
  };
}

function amountOf(
  field: string,
  major: number | null,
  currencyCode: string,
  allowed: (minor: bigint) => boolean,
  rule: string,
): MoneyJson | null {
  if (major === null) return null;
  const amount = parseMajor(major, currencyCode);
  if (!amount) throw validationFailed(field, `${field} has more decimals than ${currencyCode}.`, 'too_many_decimals');
  if (!allowed(amount.amountMinor)) throw validationFailed(field, `${field} ${rule}.`, 'out_of_range');
  if (!isExactInMajor(amount)) throw validationFailed(field, `${field} is too large.`, 'out_of_range');
  return toMoneyJson(amount);
}
