import type { CheckMergeRequest, MergeConflict, MovedObjects } from '@kontor/contracts';
import {
  awaitsUndo,
  type CustomerMerge,
  type CustomerRows,
  moveCustomerRows,
  returnCustomerRows,
  type TenantTx,
} from '@kontor/persistence';

/** What a service keeps of customers, and how it goes from one to another when they are merged. */
export abstract class CustomerMover {
  /** What is moved, and counted before. */
  abstract readonly rows: readonly CustomerRows[];

  /** Why it cannot be done; nothing is changed. */
  conflicts(_tx: TenantTx, _request: CheckMergeRequest): Promise<MergeConflict[]> {
    return Promise.resolve([]);
  }

  /** {@link move}, unless the undo of an earlier merge of one of them is still to return something: that comes first. */
  async moveInTurn(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[] | 'busy'> {
    return (await awaitsUndo(tx, merge)) ? 'busy' : this.move(tx, merge);
  }

  /** Moves everything, or answers `busy` having changed nothing: it is then asked again. */
  protected move(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[] | 'busy'> {
    return moveCustomerRows(tx, merge, this.rows);
  }

  /** Why what was moved cannot be returned; nothing is changed. */
  undoConflicts(_tx: TenantTx, _merge: CustomerMerge): Promise<MergeConflict[]> {
    return Promise.resolve([]);
  }

  /** Returns what was moved and is still the other one's, or answers `busy` having changed nothing: it is then asked again. */
  undo(tx: TenantTx, merge: CustomerMerge): Promise<MovedObjects[] | 'busy'> {
    return returnCustomerRows(tx, merge, this.rows);
  }
}
