import { storedNoticeOf } from '@kontor/contracts';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { FoundNotice } from '../domain/notices.js';

/** Notices whose data were too large for their event carry a reference: the data are fetched once from the owner. */
@Injectable()
export class StoredNotices {
  constructor(private readonly client: InternalClient) {}

  /** @throws ServiceUnavailable when the owner is away: the same events come again. */
  async resolve(tenantId: string, found: readonly FoundNotice[]): Promise<FoundNotice[]> {
    const resolved: FoundNotice[] = [];
    for (const one of found) {
      const stored = one.notice.data === null ? null : storedNoticeOf(one.notice.data);
      if (!stored) resolved.push(one);
      else {
        const data = await this.client.call<Record<string, unknown>>(stored.service, 'GET', stored.path, undefined, { tenantId });
        resolved.push({ ...one, notice: { ...one.notice, data } });
      }
    }
    return resolved;
  }
}
