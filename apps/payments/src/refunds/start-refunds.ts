import type { CustomerState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { methods, type PaymentMethod } from '../payment-methods/payment-method.row.js';
import type { Books } from '../domain/customer-books/books.js';
import { creditDocument, notCreditYet, type PaidMoney } from '../domain/wallet/credit.js';
import { upTo } from '../domain/wallet/spent-credit.js';
import { loadPaidMoney } from '../corrections/load-corrected.js';
import { type Intent, isSettled } from '../domain/customer-books/intent.js';
import { shareOfCredit } from '../domain/refunds/left-to-return.js';
import { planRefund, type RefundablePayment, startRefund } from '../domain/refunds/refunds.js';
import { customerName, ibanOf } from '../payment-methods/new-method.js';
import { BankOrders } from '../gateways/port/bank-orders.js';
import { REFUND } from '../due-kinds.js';
import { Gateways } from '../gateways/port/payment-gateway.js';
import { type LeftToReturn, loadLeftToReturn } from './left-to-return.js';

/** A refund document, and the method that was asked for; null: as it was paid. */
export interface RefundOfDocument {
  readonly intent: Intent;
  readonly method: PaymentMethod | null;
}

/** What remains to be done once the books are saved, in the same transaction. */
type AfterSaving = (tx: TenantTx) => Promise<void>;

interface Payout {
  readonly transactionId: string;
  readonly intent: Intent;
  readonly method: PaymentMethod;
  readonly amountMinor: bigint;
}

/**
 * Decides how the money of refund documents goes back: at the gateways that took it; what was paid by bank by a
 * transfer to the account that is known; what credit paid, or where the wallet was asked for, as credit. What has no
 * way waits for its pay-out to be reported, or to be seen on a statement.
 */
@Injectable()
export class StartRefunds {
  constructor(
    private readonly replicas: Replicas,
    private readonly gateways: Gateways,
    private readonly bankOrders: BankOrders,
    private readonly secrets: SecretBox,
  ) {}

  /** The customers' books are locked by the caller, who saves them and then calls what this returns. */
  async plan(tx: TenantTx, books: Books, documents: readonly RefundOfDocument[]): Promise<AfterSaving> {
    const collectionId = newUuid();
    const payouts: Payout[] = [];
    for (const document of documents) payouts.push(...(await this.planOne(tx, books, document, collectionId)));
    const sends = [...books.newTransactions].some((t) => t.collectionId === collectionId && t.refundedTransactionId);
    return async (after) => {
      for (const payout of payouts) await this.order(after, payout);
      if (sends) await scheduleDue(after, { kind: REFUND, ref: collectionId, dueAt: after.now });
    };
  }

  private async planOne(
    tx: TenantTx,
    books: Books,
    { intent, method }: RefundOfDocument,
    collectionId: string,
  ): Promise<Payout[]> {
    if (!intent.referencedInvoiceId || isSettled(intent)) return [];
    const wanted = -intent.openMinor - intent.pendingMinor;
    if (wanted <= 0n) return [];
    if (method?.gatewayName === 'wallet' && books.rulesOf(intent.customerId).walletEnabled) {
      await this.creditAll(tx, books, intent, wanted);
      return [];
    }
    const byBank = method?.gatewayName === 'bank_transfer';
    // Money first, but no more than has paid the invoice: what was too much of a payment, or is credit by now, stays that.
    const left = await this.creditToReturn(tx, books, { intent, method });
    const credited = left ? shareOfCredit(left, wanted) : 0n;
    const plan = planRefund({
      amountMinor: wanted - credited,
      methodId: method?.id ?? null,
      payments: byBank ? [] : leftNow(books, await refundablePayments(tx, intent.referencedInvoiceId)),
      canRefund: (name) => this.gateways.find(name)?.refund !== undefined,
    });
    for (const part of plan.parts) startRefund(books, intent, part, collectionId);
    if (left && credited > 0n) creditDocument(books, intent, { amountMinor: credited, spent: left.spent });
    const amountMinor = plan.restMinor;
    if (amountMinor === 0n) return [];
    const account = await this.findAccount(tx, intent, method, amountMinor);
    return account ? [this.payOut(books, intent, account, { amountMinor, collectionId })] : [];
  }

  /** As it was asked for. Money first here, too: what credit had paid may have ended, or end soon. */
  private async creditAll(tx: TenantTx, books: Books, intent: Intent, amountMinor: bigint): Promise<void> {
    const left = await loadLeftToReturn(tx, books, intent);
    const credited = shareOfCredit(left, amountMinor);
    const { invoiceIntentId } = left;
    const paid = invoiceIntentId ? await loadPaidMoney(tx, [invoiceIntentId]) : new Map<string, PaidMoney[]>();
    creditDocument(books, intent, {
      amountMinor,
      paid: upTo(amountMinor - credited, notCreditYet(books, paid.get(invoiceIntentId ?? '') ?? [])),
      spent: upTo(credited, left.spent),
    });
  }

  /** What credit has paid becomes credit again, unless it is to go to a bank account: null then. */
  private async creditToReturn(
    tx: TenantTx,
    books: Books,
    { intent, method }: RefundOfDocument,
  ): Promise<LeftToReturn | null> {
    const toBank = method?.gatewayName === 'bank_transfer' || Boolean(method?.secret);
    return toBank || !books.rulesOf(intent.customerId).walletEnabled ? null : loadLeftToReturn(tx, books, intent);
  }

  private payOut(
    books: Books,
    intent: Intent,
    method: PaymentMethod,
    { amountMinor, collectionId }: { amountMinor: bigint; collectionId: string },
  ): Payout {
    const part = { paymentId: null, paymentMethodId: method.id, gatewayName: 'bank_transfer', amountMinor };
    const { id } = startRefund(books, intent, part, collectionId);
    return { transactionId: id, intent, method, amountMinor };
  }

  /** The customer's account to which a SEPA transfer can go: of the wanted method, else of the newest mandate. */
  private async findAccount(
    tx: TenantTx,
    intent: Intent,
    wanted: PaymentMethod | null,
    amountMinor: bigint,
  ): Promise<PaymentMethod | null> {
    if (!this.bankOrders.canTransfer(intent.currencyCode, amountMinor)) return null;
    if (wanted?.secret) return wanted;
    const [newest] = await methods.where(
      tx,
      `customer_id = $2 AND gateway_name = 'sepa_debit' AND secret IS NOT NULL AND deleted_at IS NULL
        ORDER BY id DESC LIMIT 1`,
      [intent.customerId],
    );
    return newest ?? null;
  }

  private async order(tx: TenantTx, { transactionId, intent, method, amountMinor }: Payout): Promise<void> {
    const iban = ibanOf(this.secrets, method);
    if (iban === null) return;
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', intent.customerId);
    await this.bankOrders.planTransfer(tx, {
      transactionId,
      customerId: intent.customerId,
      intentId: intent.id,
      amountMinor,
      currencyCode: intent.currencyCode,
      iban,
      bic: method.details.mandate?.bic ?? null,
      name: method.details.mandate?.accountHolder ?? (customer && customerName(customer)) ?? intent.documentNumber,
      remittance: intent.documentNumber,
    });
  }
}

/** The invoice's payments that stand, and what of each has not gone back. */
async function refundablePayments(tx: TenantTx, invoiceId: string): Promise<RefundablePayment[]> {
  const rows = await tx.query<RefundablePayment>(
    `SELECT t.id, t.payment_method_id AS "paymentMethodId", t.gateway_name AS "gatewayName", t.payment_date AS "paidAt",
       a.amount_minor - coalesce((SELECT sum(r.amount_minor) FROM payment_transaction r
         WHERE r.tenant_id = $1 AND r.refunded_transaction_id = t.id
         AND r.status IN ('pending', 'succeeded')), 0)::bigint
         - coalesce((SELECT sum(r.amount_minor) FROM payment_transaction r
           WHERE r.tenant_id = $1 AND r.returned_transaction_id = t.id), 0)::bigint AS "leftMinor"
     FROM payment_intent i
     JOIN LATERAL (SELECT transaction_id, sum(amount_minor)::bigint AS amount_minor FROM payment_allocation
       WHERE tenant_id = $1 AND intent_id = i.id AND kind = 'payment' GROUP BY transaction_id) a ON true
     JOIN payment_transaction t ON t.tenant_id = $1 AND t.id = a.transaction_id
     WHERE i.tenant_id = $1 AND i.invoice_id = $2 AND t.type = 'payment' AND t.status = 'succeeded' 
       AND (t.collection_id IS NOT NULL OR t.gateway_name IN ('testing', 'fake_provider'))`,
    [tx.tenantId, invoiceId],
  );
  return rows.filter((row) => row.leftMinor > 0n);
}

/** What an earlier refund of the same decision uses is not there twice. */
const leftNow = (books: Books, payments: readonly RefundablePayment[]): RefundablePayment[] =>
  payments.map((payment) => {
    const takenMinor = [...books.newTransactions].reduce(
      (sum, t) => (t.refundedTransactionId === payment.id ? sum + t.amountMinor : sum),
      0n,
    );
    return { ...payment, leftMinor: payment.leftMinor - takenMinor };
  });
