import { customerMergedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import {
  awaitMerge,
  completeDue,
  completeMerge,
  type CustomerMerge,
  Database,
  type DueBatch,
  DueHandler,
  recordMerge,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { CustomerMover } from './customer-mover.js';

/** A merge waits for what is under way; the ref is the merge's id. On real time. */
const MERGE_DUE = 'customer-merge';
const AGAIN_AFTER_MS = 5_000;

/** True when everything was moved. */
async function settle(tx: TenantTx, mover: CustomerMover, merge: CustomerMerge): Promise<boolean> {
  const moved = await mover.move(tx, merge);
  if (moved === 'busy') await awaitMerge(tx, merge);
  else await completeMerge(tx, merge, moved);
  return moved !== 'busy';
}

const later = (): Date => new Date(Date.now() + AGAIN_AFTER_MS);

/** Moves what the service keeps of a customer that was merged into another: all of it in the transaction that has heard of it. */
@EventConsumer()
export class OnCustomerMerged {
  constructor(private readonly mover: CustomerMover) {}

  @Consume(customerMergedV1)
  async handle(event: EventOf<typeof customerMergedV1>, tx: TenantTx): Promise<void> {
    const merge = await recordMerge(tx, event.payload);
    if (await settle(tx, this.mover, merge)) return;
    await scheduleDue(tx, { kind: MERGE_DUE, ref: merge.mergeId, dueAt: later(), wall: true });
  }
}

/** Asks again for merges that something under way had kept waiting. */
@DueHandler({ kind: MERGE_DUE, batchSize: 1 })
export class SettleMerges {
  constructor(
    private readonly database: Database,
    private readonly mover: CustomerMover,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      await this.database.tenant(batch.tenantId, async (tx) => {
        const [merge] = await tx.query<CustomerMerge>(
          `SELECT merge_id AS "mergeId", source_customer_id AS "sourceCustomerId", survivor_id AS "survivorId"
           FROM customer_merge WHERE tenant_id = $1 AND merge_id = $2 AND status <> 'completed'`,
          [tx.tenantId, item.ref],
        );
        const isDone = !merge || (await settle(tx, this.mover, merge));
        await completeDue(tx, MERGE_DUE, item, isDone ? null : later());
      });
    }
  }
}
