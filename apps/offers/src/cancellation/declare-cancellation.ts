import { cancellationNoticeReceivedV1, type TenantState } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import { Database, Replicas, scheduleDue } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type CancellationNoticeRow, cancellationNotices } from './cancellation-notice.row.js';

/** Due work: what a notice leads to, by its id. */
export const ACT_ON_NOTICE = 'offers.cancellation';

export type Declared = Pick<
  CancellationNoticeRow,
  'id' | 'kind' | 'name' | 'email' | 'contract' | 'reason' | 'wantedOn' | 'language'
>;

/** Takes a notice: it has arrived when this has committed. The answer is the same whether or not anybody here has a contract. */
@Injectable()
export class DeclareCancellation {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** The notice as it arrived first, however often its form is sent. */
  execute(tenantId: string, declared: Declared): Promise<{ notice: CancellationNoticeRow; timeZone: string }> {
    return this.database.tenant(tenantId, async (tx) => {
      const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tenantId);
      const timeZone = tenant?.timeZone ?? 'Europe/Berlin';
      const [notice] = await cancellationNotices.insertMissing(tx, {
        ...declared,
        state: 'pending',
        failure: null,
        customerId: null,
        subscriptionId: null,
        receivedAt: tx.now,
      });
      if (!notice) return { notice: await cancellationNotices.findOneOrFail(tx, { id: declared.id }), timeZone };
      const { id, kind, name, email, contract, reason, wantedOn, language, receivedAt } = notice;
      await appendEvent(tx, cancellationNoticeReceivedV1, {
        aggregateId: id,
        aggregateSeq: 1,
        payload: {
          noticeId: id,
          kind,
          name,
          email,
          contract,
          reason,
          wantedOn,
          language,
          receivedAt: receivedAt.toISOString(),
          timeZone,
        },
      });
      await scheduleDue(tx, { kind: ACT_ON_NOTICE, ref: id, dueAt: new Date(), wall: true });
      return { notice, timeZone };
    });
  }
}
