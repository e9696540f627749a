import type { TenantTx } from '@kontor/persistence';

/** What a service keeps of customers that none is deleted with. */
export abstract class CustomerReferences {
  /** Kinds of objects that refer to the customer: `invoice`, `payment_method`. */
  abstract find(tx: TenantTx, customerId: string): Promise<string[]>;

  /**
   * Waits for transactions that refer to customers and do not hold their copies, and keeps others from beginning until this one ends. It comes
   * before all other locks.
   */
  awaitOthers(_tx: TenantTx): Promise<void> {
    return Promise.resolve();
  }
}
