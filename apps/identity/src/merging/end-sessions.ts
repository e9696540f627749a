import type { MovedObjects } from '@kontor/contracts';
import type { CustomerMerge, TenantTx } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { endSessionsOf } from '../customer-sessions/end-sessions-of.js';

/** Who was logged in as the merged customer, here or at an app, logs in again, as the other one. */
@Injectable()
export class EndSessions extends CustomerMover {
  readonly rows = [];

  override async move(tx: TenantTx, { sourceCustomerId }: CustomerMerge): Promise<MovedObjects[]> {
    await endSessionsOf(tx, sourceCustomerId);
    return [];
  }
}
