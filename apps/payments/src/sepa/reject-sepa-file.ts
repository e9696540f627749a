import { Database, scheduleDue } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { MATCH_BANK, OPEN_LINES } from '../due-kinds.js';
import type { SepaFileDetails } from './sepa.schema.js';
import { ReadSepaFiles } from './sepa.read.js';
import { SettleOrders } from './settle-orders.js';

/** Somebody reports what the bank refused: without it a payment that no statement shows would be on its way for ever. */
@Injectable()
export class RejectSepaFile {
  constructor(
    private readonly database: Database,
    private readonly orders: SettleOrders,
    private readonly read: ReadSepaFiles,
  ) {}

  /** @throws DomainError `not_found`, `unknown_reference`, `invalid_status_transition`. */
  execute(
    tenantId: string,
    fileId: string,
    transactionIds: readonly string[] | null,
    reasonCode: string,
  ): Promise<SepaFileDetails> {
    return this.database.tenant(tenantId, async (tx) => {
      await this.read.details(tx, fileId);
      await this.orders.reject(tx, fileId, transactionIds?.map((id) => id.toLowerCase()) ?? null, reasonCode);
      // The sum of a batch without what was refused may be on a statement already, and has waited for a person.
      await scheduleDue(tx, { kind: MATCH_BANK, ref: OPEN_LINES, dueAt: tx.now });
      return this.read.details(tx, fileId);
    });
  }
}
