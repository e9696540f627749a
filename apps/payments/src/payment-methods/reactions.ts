import type { TenantTx } from '@kontor/persistence';

/** What other rooms do about payment methods, given at composition. */
export abstract class MethodReactions {
  /** In the transaction that removes the method; the customer's books are locked. */
  abstract methodRemoved(tx: TenantTx, methodId: string): Promise<void>;
}
