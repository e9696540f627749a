import { DomainError, isUuid, newUuid, notFound } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { GATEWAY_NOTICE } from '../due-kinds.js';
import { type Callback, CallbackRefused, type GatewayNotice, Gateways } from '../gateways/port/payment-gateway.js';
import { notices } from './gateway-notice.row.js';

/**
 * Stores what a provider reports by itself: the signature is checked, each event is stored once, and only then
 * the provider gets its answer. What follows from it is due work.
 */
@Injectable()
export class ReceiveCallback {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly log: Log,
  ) {}

  /** @throws DomainError `not_found` (gateway), 400 `invalid_signature`, 400 `invalid_request`. */
  async execute(gatewayName: string, callback: Callback): Promise<{ received: number }> {
    const gateway = this.gateways.find(gatewayName);
    if (!gateway?.readCallback) throw notFound('The gateway');
    const reported = await gateway.readCallback(callback).catch((error: unknown) => {
      if (error instanceof CallbackRefused) {
        this.log.warn({ gateway: gatewayName, reason: error.message }, 'a call-back was refused');
        throw new DomainError('invalid_signature', {
          kind: 'invalid',
          detail: 'The signature of the call-back is missing, wrong or too old.',
        });
      }
      if (error instanceof SyntaxError)
        throw new DomainError('invalid_request', { kind: 'invalid', detail: 'The call-back is not readable JSON.' });
      throw error;
    });
    let received = 0;
    for (const notice of reported) if (await this.store(gatewayName, notice, callback.receivedAt)) received += 1;
    return { received };
  }

  /** False for what is known already, and for what is about nothing of ours. */
  private async store(gatewayName: string, notice: GatewayNotice, receivedAt: Date): Promise<boolean> {
    const tenantId = await this.tenantOf(gatewayName, notice);
    const stored = tenantId === null ? null : await this.storeOurs(tenantId, gatewayName, notice, receivedAt);
    if (stored === null) await this.reportForeign(gatewayName, notice);
    return stored === true;
  }

  /** False for what is known already; null for what is about nothing of this tenant. */
  private storeOurs(
    tenantId: string,
    gatewayName: string,
    notice: GatewayNotice,
    receivedAt: Date,
  ): Promise<boolean | null> {
    return this.database.tenant(tenantId, async (tx) => {
      if (!(await isOurs(tx, notice))) return null;
      const [stored] = await notices.insertMissing(tx, {
        id: newUuid(),
        gatewayName,
        eventId: notice.eventId,
        notice,
        result: null,
        receivedAt,
        processedAt: null,
      });
      if (stored) await scheduleDue(tx, { kind: GATEWAY_NOTICE, ref: stored.id, dueAt: new Date(), wall: true });
      return stored !== undefined;
    });
  }

  /** Of a payment of ours, a refund that nobody asked for here was made at the provider: what it is for only a person knows. */
  private async reportForeign(gatewayName: string, notice: GatewayNotice): Promise<void> {
    const about = { gateway: gatewayName, eventId: notice.eventId, kind: notice.kind };
    const payment = notice.kind === 'refund' && notice.outcome?.status !== 'declined' ? notice.paymentReference : null;
    const tenantId =
      payment === null ? null : await this.locate('payment_transaction_by_reference', gatewayName, payment);
    if (tenantId === null) this.log.info(about, 'a call-back is about nothing of ours');
    else
      this.log.warn(
        { ...about, tenantId, payment },
        'a refund that was made at the provider books nothing: refund its invoice by bank transfer, and report that as paid out',
      );
  }

  private async tenantOf(gatewayName: string, notice: GatewayNotice): Promise<string | null> {
    if ('methodReference' in notice)
      return this.locate('payment_method_at_provider', gatewayName, notice.methodReference);
    if ('reference' in notice.subject)
      return this.locate('payment_transaction_by_reference', gatewayName, notice.subject.reference);
    return isUuid(notice.subject.tenantId) ? notice.subject.tenantId : null;
  }

  private async locate(
    lookup: 'payment_method_at_provider' | 'payment_transaction_by_reference',
    gatewayName: string,
    reference: string,
  ) {
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string }>(`SELECT tenant_id AS "tenantId" FROM ${lookup}($1, $2)`, [
        gatewayName,
        reference,
      ]),
    );
    return found?.tenantId ?? null;
  }
}

/** Ids in a call-back may be of another installation that uses the same account. */
async function isOurs(tx: TenantTx, notice: GatewayNotice): Promise<boolean> {
  if ('methodReference' in notice || 'reference' in notice.subject) return true;
  const of = (table: string, id: string, more = ''): Promise<unknown[]> =>
    isUuid(id)
      ? tx.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1 AND id = $2 ${more}`, [tx.tenantId, id])
      : Promise.resolve([]);
  // A refund that was made at the provider may repeat the ids of its payment.
  const found = await ('methodId' in notice.subject
    ? of('method_registration', notice.subject.methodId)
    : of('payment_transaction', notice.subject.transactionId, notice.kind === 'refund' ? `AND type = 'refund'` : ''));
  return found.length > 0;
}
