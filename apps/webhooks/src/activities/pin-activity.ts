import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { representActivity, usersOf } from './activity.read.js';
import { activities } from './activity.row.js';
import type { CustomerActivityJson } from './activity.schema.js';

/** Pins an entry to the top of its customer's log, or unpins it. @throws 404. */
@Injectable()
export class PinActivity {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  execute(tenantId: string, id: string, pinned: boolean): Promise<CustomerActivityJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const entry = await activities.get(tx, id, { lock: 'update' });
      if (!entry) throw notFound('The activity');
      await activities.update(tx, { ...entry, pinned }, ['pinned']);
      return representActivity({ ...entry, pinned }, await usersOf(tx, this.replicas, [entry]));
    });
  }
}
