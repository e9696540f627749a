import { customerMergedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import {
  awaitMerge,
  completeMerge,
  type CustomerMerge,
  Database,
  type DueBatch,
  DueHandler,
  recordMerge,
  Replicas,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { CustomerMover } from './customer-mover.js';
import { later, settleDue } from './settle-due.js';

/** A merge waits for what is under way; the ref is the merge's id. On real time. */
const MERGE_DUE = 'customer-merge';

/** True when everything was moved. */
async function settle(tx: TenantTx, mover: CustomerMover, merge: CustomerMerge): Promise<boolean> {
  const moved = await mover.moveInTurn(tx, merge);
  if (moved === 'busy') await awaitMerge(tx, merge);
  else await completeMerge(tx, merge, moved);
  return moved !== 'busy';
}

/** Moves what the service keeps of a customer that was merged into another: all of it in the transaction that has heard of it. */
@EventConsumer()
export class OnCustomerMerged {
  constructor(
    private readonly mover: CustomerMover,
    private readonly replicas: Replicas,
  ) {}

  @Consume(customerMergedV1)
  async handle(event: EventOf<typeof customerMergedV1>, tx: TenantTx): Promise<void> {
    await this.closeSource(event, tx);
    const merge = await recordMerge(tx, event.payload);
    if (await settle(tx, this.mover, merge)) return;
    await scheduleDue(tx, { kind: MERGE_DUE, ref: merge.mergeId, dueAt: later(), wall: true });
  }

  /** Whoever is about to refer to the source ends before its rows are moved; whoever comes later sees that it was merged. */
  private async closeSource(
    { payload: { sourceCustomerId }, aggregateSeq }: EventOf<typeof customerMergedV1>,
    tx: TenantTx,
  ): Promise<void> {
    // Its state was published right before, and may be on its way.
    await this.replicas.atLeast(tx, 'customer', sourceCustomerId, aggregateSeq - 1);
    await this.replicas.awaitHolders(tx, 'customer', sourceCustomerId);
  }
}

/** Asks again for merges that something under way had kept waiting. */
@DueHandler({ kind: MERGE_DUE, batchSize: 1 })
export class SettleMerges {
  constructor(
    private readonly database: Database,
    private readonly mover: CustomerMover,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return settleDue(this.database, batch, {
      kind: MERGE_DUE,
      statuses: ['pending', 'waiting'],
      settle: (tx, merge) => settle(tx, this.mover, merge),
    });
  }
}
