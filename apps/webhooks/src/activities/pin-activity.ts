import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type Activity, ACTIVITY_COLUMNS, type ActivityRow, representActivity } from './activity.read.js';

/** Keeps an entry on top of its customer's log, or lets it go. @throws 404. */
@Injectable()
export class PinActivity {
  constructor(private readonly database: Database) {}

  execute(tenantId: string, id: string, pinned: boolean): Promise<Activity> {
    return this.database.tenant(tenantId, async (tx) => {
      const rows = await tx.query<ActivityRow>(
        `UPDATE activity SET pinned = $3 WHERE tenant_id = $1 AND id = $2 RETURNING ${ACTIVITY_COLUMNS}`,
        [tenantId, id, pinned],
      );
      if (!rows[0]) throw notFound('The activity');
      return representActivity(rows[0]);
    });
  }
}
