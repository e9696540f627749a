import { customerUnmergedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import {
  completeUndo,
  type CustomerMerge,
  Database,
  type DueBatch,
  DueHandler,
  recordUndo,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { CustomerMover } from './customer-mover.js';
import { later, settleDue } from './settle-due.js';

/** An undo waits for what is under way; the ref is the merge's id. On real time. */
const UNDO_DUE = 'customer-merge-undo';

/** True when everything was returned. */
async function settle(tx: TenantTx, mover: CustomerMover, merge: CustomerMerge): Promise<boolean> {
  if ((await mover.undo(tx, merge)) === 'busy') return false;
  await completeUndo(tx, merge);
  return true;
}

/** Returns what the service has moved of a customer, when that is its own again. */
@EventConsumer()
export class OnCustomerUnmerged {
  constructor(private readonly mover: CustomerMover) {}

  @Consume(customerUnmergedV1)
  async handle(event: EventOf<typeof customerUnmergedV1>, tx: TenantTx): Promise<void> {
    const merge = await recordUndo(tx, event.payload.mergeId);
    if (!merge || (await settle(tx, this.mover, merge))) return;
    await scheduleDue(tx, { kind: UNDO_DUE, ref: merge.mergeId, dueAt: later(), wall: true });
  }
}

/** Asks again for what something under way had kept waiting. */
@DueHandler({ kind: UNDO_DUE, batchSize: 1 })
export class SettleUndos {
  constructor(
    private readonly database: Database,
    private readonly mover: CustomerMover,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return settleDue(this.database, batch, {
      kind: UNDO_DUE,
      statuses: ['undoing'],
      settle: (tx, merge) => settle(tx, this.mover, merge),
    });
  }
}
