import type { CancelByNoticeRequest, CancelByNoticeResponse } from '@kontor/contracts';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { withoutEffect } from '../db/without-effect.js';
import { SubscriptionLifecycle } from '../subscriptions/lifecycle.js';

interface Meant {
  readonly id: string;
  readonly customerId: string;
  /** As it was declared before. */
  readonly cancellationDate: Date | null;
}

const NOBODY: CancelByNoticeResponse = { customerId: null, subscriptionId: null };

/** The number stands in the text, and not as a part of a longer one: `S-100010` does not name `S-10001`. */
const isNamed = (text: string, number: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${number.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'iu').test(text);

/** Cancels what somebody declared on the public page. @see § 312k BGB */
@Injectable()
export class CancelByNotice {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: SubscriptionLifecycle,
  ) {}

  /** One that is cancelled to the same day or an earlier one stays as it is. */
  execute(tenantId: string, notice: CancelByNoticeRequest): Promise<CancelByNoticeResponse> {
    return this.database.tenant(tenantId, async (tx) => {
      const meant = await this.find(tx, notice);
      if (!meant) return NOBODY;
      await this.cancel(tx, meant, notice);
      return { customerId: meant.customerId, subscriptionId: meant.id };
    });
  }

  /** The contract by its number; else the only one that the address has. */
  private async find(tx: TenantTx, { email, contract }: CancelByNoticeRequest): Promise<Meant | null> {
    const running = await tx.query<Meant & { number: string }>(
      `SELECT s.id, s.customer_id AS "customerId", s.number, s.cancellation_date AS "cancellationDate"
         FROM subscription s JOIN customer c ON c.tenant_id = s.tenant_id AND c.id = s.customer_id
        WHERE s.tenant_id = $1 AND c.tenant_id = $1 AND lower(c.email) = lower($2) AND s.status IN ('active', 'paused')
        ORDER BY s.id LIMIT 100`,
      [tx.tenantId, email.trim()],
    );
    const named = running.filter(({ number }) => isNamed(contract, number));
    if (named.length === 1) return named[0] ?? null;
    return running.length === 1 ? (running[0] ?? null) : null;
  }

  /** Never earlier than the contract can end: whoever sends the form need not be the customer. */
  private async cancel(
    tx: TenantTx,
    { id, cancellationDate: known }: Meant,
    notice: CancelByNoticeRequest,
  ): Promise<void> {
    const next = { cancellationDateType: 'next_possible', reason: notice.reason, sendConfirmationEmail: true } as const;
    const wanted = notice.wantedOn === null ? null : `${notice.wantedOn}T12:00:00.000Z`;
    const { cancellationDate } = await withoutEffect(tx, () => this.lifecycle.cancel(tx, id, next));
    const earliest = cancellationDate === null ? 0 : Date.parse(cancellationDate);
    const isLater = wanted !== null && Date.parse(wanted) > earliest;
    if (known !== null && known.getTime() <= (isLater ? Date.parse(wanted) : earliest)) return;
    if (isLater)
      await this.lifecycle.cancel(tx, id, { ...next, cancellationDateType: 'custom', cancellationDate: wanted });
    else await this.lifecycle.cancel(tx, id, next);
  }
}
