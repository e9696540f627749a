import { invariant } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { AskServices } from './ask-services.js';
import { nextTermOf } from './next-look.js';

/** Due work, on the tenant's time: the term of something that was kept of an anonymized customer is over. */
export const ANONYMIZATION_TERM = 'billing.anonymization-term';

/** Has what was kept taken away when its term is over. */
@Injectable()
@DueHandler({ kind: ANONYMIZATION_TERM, batchSize: 10 })
export class EndOfTermHandler {
  constructor(
    private readonly database: Database,
    private readonly services: AskServices,
  ) {}

  async handle({ tenantId, items, now, signal }: DueBatch): Promise<void> {
    for (const item of items) {
      if (signal.aborted) return;
      const parts = await this.services.erase(tenantId, item.ref);
      await this.database.tenant(
        tenantId,
        async (tx) => {
          const row = await tables.anonymizations.findOne(tx, { customerId: item.ref }, { lock: 'update' });
          invariant(row, 'an anonymization is stored when its work is scheduled');
          row.parts = parts;
          await tables.anonymizations.update(tx, row);
          const isLate = parts.some(({ waiting }) => waiting.includes('more rows'));
          await completeDue(tx, ANONYMIZATION_TERM, item, isLate ? now : nextTermOf(parts));
        },
        { now },
      );
    }
  }
}
