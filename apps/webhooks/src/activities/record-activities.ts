import { Injectable } from '@nestjs/common';
import { newUuid, type Tx } from '@kontor/kernel';
import { activities } from './activity.row.js';
import type { FoundNotice } from '../domain/event-log/notices.js';

/** Writes the activity entries of notices that ask for one; entries without a customer belong to the tenant. */
@Injectable()
export class RecordActivities {
  async execute(tx: Tx, found: readonly FoundNotice[]): Promise<void> {
    const entries = found.filter(({ notice }) => notice.activity !== null);
    const rows = entries.map(({ notice, at, actor }) => ({
      id: newUuid(),
      customerId: notice.customerId,
      type: notice.type,
      at,
      actor,
      metadata: notice.activity!.metadata,
      pinned: false,
    }));
    await activities.insert(tx, rows);
  }
}
