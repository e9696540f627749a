import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { newUuid, notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { actorOf } from '@kontor/service-kit';
import { type Activity, type ActivityRow, representActivity } from './activity.read.js';

/** Writes a note on a customer. @throws 404 for an unknown customer. */
@Injectable()
export class AddComment {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  execute(principal: Principal, customerId: string, comment: string): Promise<Activity> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      if ((await this.replicas.get(tx, 'customer', customerId)) === null) throw notFound('The customer');
      const entry: ActivityRow = {
        id: newUuid(),
        type: 'commented',
        at: tx.now,
        actor: actorOf(principal),
        metadata: { comment },
        pinned: false,
      };
      await tx.query('INSERT INTO activity (tenant_id, id, customer_id, type, at, actor, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
        tx.tenantId, entry.id, customerId, entry.type, entry.at, JSON.stringify(entry.actor), JSON.stringify(entry.metadata),
      ]); // prettier-ignore
      return representActivity(entry);
    });
  }
}
