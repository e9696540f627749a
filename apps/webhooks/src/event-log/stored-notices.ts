import { storedNoticeOf } from '@kontor/contracts';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { FoundNotice } from '../domain/event-log/notices.js';

/** Notices whose data were too large for their event carry a reference: the data are fetched once from the owner. */
@Injectable()
export class StoredNotices {
  constructor(private readonly client: InternalClient) {}

  /** @throws ServiceUnavailable when the owner is unavailable: the same events are delivered again. */
  async resolve(tenantId: string, found: readonly FoundNotice[]): Promise<FoundNotice[]> {
    const resolved: FoundNotice[] = [];
    const fetched = new Map<string, Record<string, unknown>>();
    for (const entry of found) {
      const stored = entry.notice.data === null ? null : storedNoticeOf(entry.notice.data);
      if (!stored) resolved.push(entry);
      else {
        const data =
          fetched.get(stored.path) ??
          (await this.client.call<Record<string, unknown>>(stored.service, 'GET', stored.path, undefined, {
            tenantId,
          }));
        fetched.set(stored.path, data);
        resolved.push({ ...entry, notice: { ...entry.notice, data } });
      }
    }
    return resolved;
  }
}
