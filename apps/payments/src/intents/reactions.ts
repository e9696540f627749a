import type { EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';

export type FinalizedDocumentPayload = EventOf<typeof invoiceFinalizingV1>['payload'];

/** What other rooms do about documents and payments, given at composition, in the transaction that they belong to. */
export abstract class IntentReactions {
  /** Documents of one tenant have become unpaid. */
  abstract documentsOpened(tx: TenantTx, documents: readonly FinalizedDocumentPayload[]): Promise<void>;
  /** A payment was recorded that its statement line may already show. */
  abstract paymentRecorded(tx: TenantTx): Promise<void>;
}
