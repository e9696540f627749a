import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, scheduleDue } from '@kontor/persistence';
import { logoutDeliveries } from '../../db/logout-delivery.row.js';
import type { LogoutNotice } from '../provider-parts.js';

/** Kind of the due work that reports logouts to apps. */
export const LOGOUT = 'identity.logout';

/** Writes down that an app is to hear of a logout, so that nobody who logs out waits for it, and a crash does not lose it. */
@Injectable()
export class LogoutDeliveries {
  constructor(private readonly db: Database) {}

  async schedule({ tenantId, clientId, subject, sid }: LogoutNotice): Promise<void> {
    await this.db.tenant(tenantId, async (tx) => {
      const id = newUuid();
      await logoutDeliveries.insert(tx, { id, clientId, subject, sid, attempts: 0 });
      await scheduleDue(tx, { kind: LOGOUT, ref: id, dueAt: new Date(), wall: true });
    });
  }
}
