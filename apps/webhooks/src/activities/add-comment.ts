import { Injectable } from '@nestjs/common';
import type { CustomerState, Principal } from '@kontor/contracts';
import { newUuid, notFound } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { actorOf, customerAnonymized } from '@kontor/service-kit';
import { representActivity, usersOf } from './activity.read.js';
import { activities, type ActivityRow } from './activity.row.js';
import type { CustomerActivityJson } from './activity.schema.js';

/** Writes a note on a customer. @throws 404 for an unknown customer; 422 `customer_anonymized` */
@Injectable()
export class AddComment {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  execute(principal: Principal, customerId: string, comment: string): Promise<CustomerActivityJson> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const customer = await this.replicas.get<CustomerState>(tx, 'customer', customerId);
      if (customer === null) throw notFound('The customer');
      if (customer.anonymizedAt) throw customerAnonymized();
      const entry: ActivityRow = {
        tenantId: tx.tenantId,
        id: newUuid(),
        customerId,
        type: 'commented',
        at: tx.now,
        actor: actorOf(principal),
        metadata: { comment },
        pinned: false,
      };
      await activities.insert(tx, entry);
      return representActivity(entry, await usersOf(tx, this.replicas, [entry]));
    });
  }
}
