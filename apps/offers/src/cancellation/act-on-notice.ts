import type { CancelByNoticeRequest, CancelByNoticeResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import { type CancellationNoticeRow, cancellationNotices } from './cancellation-notice.row.js';
import { ACT_ON_NOTICE } from './declare-cancellation.js';

/**
 * Cancels what a notice means. An extraordinary one cancels at the next possible time, too: whether its reason ends the contract at once is
 * for people to decide, who see it in the list.
 */
@DueHandler({ kind: ACT_ON_NOTICE, batchSize: 10 })
export class ActOnNotice {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  async handle({ tenantId, items }: DueBatch): Promise<void> {
    for (const item of items) {
      const notice = await this.database.tenant(tenantId, (tx) => cancellationNotices.get(tx, item.ref), {
        readOnly: true,
      });
      const found = notice?.state === 'pending' ? await this.cancel(tenantId, notice) : null;
      await this.database.tenant(tenantId, async (tx) => {
        if (notice && found) await cancellationNotices.update(tx, Object.assign(notice, found));
        await completeDue(tx, ACT_ON_NOTICE, item);
      });
    }
  }

  /** @throws ServiceUnavailable, OutcomeUnknown: it is asked again, with the same effect */
  private async cancel(tenantId: string, notice: CancellationNoticeRow): Promise<Partial<CancellationNoticeRow>> {
    const { email, contract, wantedOn } = notice;
    const words =
      notice.kind === 'ordinary' ? 'Cancelled on the public page' : 'Extraordinary notice on the public page';
    const reason = [words, notice.reason].filter(Boolean).join(': ').slice(0, 1000);
    const body: CancelByNoticeRequest = { email, contract, reason, wantedOn };
    try {
      const path = '/internal/sales/cancellation-notices';
      const found = await this.internal.call<CancelByNoticeResponse>('billing', 'POST', path, body, { tenantId });
      return { ...found, state: found.subscriptionId === null ? 'unclear' : 'cancelled' };
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'conflict')
        return { state: 'failed', failure: error.reason };
      throw error;
    }
  }
}
