import { isUuid } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { lockPayment } from '../customer-books/lock-payment.js';
import { transactions } from '../customer-books/transaction.row.js';
import type { GatewayOutcome } from '../domain/gateways/gateway-outcome.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { returnFeeKept } from '../domain/ledger/postings.js';
import { bookTransfers } from '../ledger/book-transfers.js';
import { CompletePaymentMethod } from '../payment-methods/complete-payment-method.js';
import { MethodsAtProvider } from '../payment-methods/methods-at-provider.js';
import { registrations } from '../payment-methods/registration.row.js';
import { GATEWAY_NOTICE } from '../due-kinds.js';
import { type GatewayCharge, type GatewayNotice, Gateways } from '../gateways/port/payment-gateway.js';
import { ProviderUndecided } from '../gateways/port/provider-http.js';
import { ReturnTransaction } from '../returns/return-transaction.js';
import { SettleCollections } from '../collections/settle-collections.js';
import { ALARM_AFTER_MS, sweepPauseMs } from '../collections/sweep.js';
import { notices, type StoredNotice } from './gateway-notice.row.js';

type Act = (tx: TenantTx) => Promise<string>;
type AboutMoney = GatewayNotice & { kind: 'collection' | 'approved' | 'refund' | 'returned' };
const UNANSWERED: GatewayOutcome = { status: 'unknown' };

/**
 * Acts on what providers reported, in the order of arrival, repeated until it succeeds: what is decided already stays
 * as it is.
 */
@DueHandler({ kind: GATEWAY_NOTICE, batchSize: 20 })
export class ActOnNotices {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly settle: SettleCollections,
    private readonly returns: ReturnTransaction,
    private readonly completeMethod: CompletePaymentMethod,
    private readonly methodsAtProvider: MethodsAtProvider,
    private readonly log: Log,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.act(batch.tenantId, item);
  }

  private async act(tenantId: string, item: DueItem): Promise<void> {
    const stored = await this.database.tenant(
      tenantId,
      async (tx) => (await notices.where(tx, 'id = $2', [item.ref]))[0],
      {
        readOnly: true,
      },
    );
    const act = stored ? await this.prepare(tenantId, stored) : null;
    await this.database.tenant(tenantId, async (tx) => {
      if (stored && act) await notices.save(tx, [{ ...stored, result: await act(tx), processedAt: new Date() }]);
      await completeDue(tx, GATEWAY_NOTICE, item, stored && !act ? this.later(tenantId, stored) : null);
    });
  }

  /** The provider, which has to be asked, did not answer: nothing else says what became of it. The others go on meanwhile. */
  private later(tenantId: string, { id, gatewayName, receivedAt }: StoredNotice): Date {
    const ageMs = Date.now() - receivedAt.getTime();
    if (ageMs >= ALARM_AFTER_MS)
      this.log.error(
        { tenantId, noticeId: id, gateway: gatewayName },
        'what a call-back reported could not be asked for hours: look it up',
      );
    return new Date(Date.now() + sweepPauseMs(ageMs));
  }

  /** Asks the provider where that is needed, before any transaction; gives what is to be done in one. Null: it does not answer. */
  private async prepare(tenantId: string, { gatewayName, notice }: StoredNotice): Promise<Act | null> {
    switch (notice.kind) {
      case 'registration':
        return this.register(tenantId, gatewayName, notice.subject.methodId);
      case 'method_ended': {
        const ended = await this.methodsAtProvider.end(gatewayName, notice.methodReference, notice.reason);
        return () => Promise.resolve(ended > 0 ? 'method_ended' : 'known');
      }
      case 'method_reinstated': {
        const reinstated = await this.methodsAtProvider.reinstate(gatewayName, notice.methodReference);
        return () => Promise.resolve(reinstated > 0 ? 'method_reinstated' : 'known');
      }
      case 'method_replaced': {
        const replaced = await this.methodsAtProvider.replace(gatewayName, notice.methodReference, notice.replacement);
        return () => Promise.resolve(replaced > 0 ? 'method_replaced' : 'known');
      }
      case 'returned':
        return (tx) => this.bookReturn(tx, gatewayName, notice);
      case 'approved': {
        const outcome = await this.goOn(tenantId, gatewayName, notice);
        if (outcome?.status === 'unknown') return null;
        return (tx) => this.bookFound(tx, gatewayName, notice, outcome);
      }
      case 'collection':
      case 'refund': {
        const outcome = notice.outcome ?? (await this.ask(tenantId, gatewayName, notice));
        if (!notice.outcome && outcome?.status === 'unknown') return null;
        return (tx) => this.bookFound(tx, gatewayName, notice, outcome);
      }
    }
  }

  private async register(tenantId: string, gatewayName: string, methodId: string): Promise<Act> {
    if (!isUuid(methodId)) return () => Promise.resolve('nothing_of_ours');
    const [registration] = await this.database.tenant(
      tenantId,
      (tx) => registrations.where(tx, 'id = $2', [methodId]),
      {
        readOnly: true,
      },
    );
    if (registration?.gatewayName !== gatewayName) return () => Promise.resolve('nothing_of_ours');
    if (registration.state === 'done' || registration.state === 'failed') return () => Promise.resolve('known');
    const question = { tenantId, methodId, referenceId: registration.referenceId };
    const answer = await this.gateways.find(gatewayName)?.registration?.(question);
    if (answer) await this.completeMethod.execute(tenantId, methodId, answer);
    return () => Promise.resolve(`registration_${answer?.status ?? 'unknown'}`);
  }

  /** Undefined where it is nothing of ours. */
  private async ask(tenantId: string, gatewayName: string, notice: AboutMoney): Promise<GatewayOutcome | undefined> {
    const transaction = await this.read(tenantId, gatewayName, notice);
    if (!transaction) return undefined;
    const { subject } = notice;
    const reference = 'reference' in subject ? subject.reference : transaction.reference;
    const charge = { ...chargeOf(transaction), reference };
    const found = await this.gateways.find(gatewayName)?.lookUp?.([charge], { tenantId, now: new Date() });
    return found?.get(charge.id) ?? UNANSWERED;
  }

  /** Fetches what its payer agreed to, as the payer's return does. Undefined where nothing waits for that (any more). */
  private async goOn(tenantId: string, gatewayName: string, notice: AboutMoney): Promise<GatewayOutcome | undefined> {
    const transaction = await this.read(tenantId, gatewayName, notice);
    if (transaction?.status !== 'action_required') return undefined;
    try {
      return await this.gateways.find(gatewayName)?.finishStep?.(chargeOf(transaction), { tenantId, now: new Date() });
    } catch (error) {
      if (error instanceof ProviderUndecided) return UNANSWERED;
      throw error;
    }
  }

  private read(tenantId: string, gatewayName: string, notice: AboutMoney): Promise<PaymentTransaction | null> {
    return this.database.tenant(tenantId, (tx) => this.find(tx, gatewayName, notice), { readOnly: true });
  }

  private async bookFound(
    tx: TenantTx,
    gatewayName: string,
    notice: AboutMoney,
    outcome: GatewayOutcome | undefined,
  ): Promise<string> {
    const transaction = await this.hold(tx, gatewayName, notice);
    return transaction && outcome ? this.book(tx, transaction, outcome) : 'nothing_of_ours';
  }

  /** A charge that had succeeded and is declined now came back later: that is a return. */
  private async book(tx: TenantTx, transaction: PaymentTransaction, outcome: GatewayOutcome): Promise<string> {
    if (transaction.type === 'payment' && transaction.status === 'succeeded' && outcome.status === 'declined') {
      await this.returns.executeIn(tx, transaction.id, () => ({ reason: outcome.reason, feeMinor: 0n }));
      return 'returned';
    }
    return (await this.settle.execute(tx, new Map([[transaction.id, outcome]]))) > 0 ? outcome.status : 'known';
  }

  private async bookReturn(
    tx: TenantTx,
    gatewayName: string,
    notice: GatewayNotice & { kind: 'returned' },
  ): Promise<string> {
    const transaction = await this.hold(tx, gatewayName, notice);
    if (!transaction) return 'nothing_of_ours';
    const { id, status } = transaction;
    const { reason, feeMinor, amountMinor } = notice;
    if (status === 'returned')
      return (await bookMissingFee(tx, transaction, BigInt(feeMinor))) ? 'fee_booked' : 'known';
    if (status !== 'succeeded' && !notice.afterPayment) {
      if (status === 'failed') return 'known';
      return (await this.settle.execute(tx, new Map([[id, { status: 'declined', reason }]]))) > 0
        ? 'declined'
        : 'known';
    }
    if (status !== 'succeeded') await this.settle.execute(tx, new Map([[id, paidAs(transaction, notice)]]));
    await this.returns.executeIn(tx, id, (_, standingMinor) => ({
      reason,
      feeMinor: BigInt(feeMinor),
      amountMinor: amountMinor === null || BigInt(amountMinor) > standingMinor ? null : BigInt(amountMinor),
    }));
    return 'returned';
  }

  /** As it is once nobody else decides about it: what goes back may be booked as paid by somebody right now. */
  private async hold(tx: TenantTx, gatewayName: string, notice: AboutMoney): Promise<PaymentTransaction | null> {
    const found = await this.find(tx, gatewayName, notice);
    if (found?.type !== 'payment') return found;
    await lockPayment(tx, found.id);
    return (await transactions.get(tx, found.id)) ?? null;
  }

  /**
   * Of this gateway, by our id or by the provider's name: a refund, or a payment. Refunds that were made at the provider may
   * repeat the ids of their payment, and what came back has its name.
   */
  private async find(
    tx: TenantTx,
    gatewayName: string,
    { kind, subject }: AboutMoney,
  ): Promise<PaymentTransaction | null> {
    const byId = 'transactionId' in subject;
    if (byId && !isUuid(subject.transactionId)) return null;
    const where = `gateway_name = $2 AND ${byId ? 'id' : 'reference'} = $3 AND type = $4`;
    const type = kind === 'refund' ? 'refund' : 'payment';
    const params = [gatewayName, byId ? subject.transactionId : subject.reference, type];
    const [found] = await transactions.where(tx, where, params);
    return found ?? null;
  }
}

/** That it was paid is reported later than that it went back, or never. */
const paidAs = ({ id, reference }: PaymentTransaction, { subject }: AboutMoney): GatewayOutcome => ({
  status: 'succeeded',
  reference: reference ?? ('reference' in subject ? subject.reference : id),
});

const chargeOf = ({ id, amountMinor, currencyCode, reference }: PaymentTransaction): GatewayCharge => ({
  id,
  amountMinor,
  currencyCode,
  methodReference: null,
  reference,
});

/** Somebody was faster to report the return, and knew of no fee. False where one is booked, or there is none. */
async function bookMissingFee(tx: TenantTx, payment: PaymentTransaction, feeMinor: bigint): Promise<boolean> {
  if (feeMinor === 0n) return false;
  const [charged] = await transactions.where(tx, 'returned_transaction_id = $2 AND fee_minor > 0 LIMIT 1', [
    payment.id,
  ]);
  if (charged) return false;
  const fee = returnFeeKept({ ...payment, amountMinor: feeMinor });
  const outcomes = await bookTransfers(tx, tx.tenantId, tx.now, [fee]);
  return outcomes.get(fee.key) === 'booked';
}
