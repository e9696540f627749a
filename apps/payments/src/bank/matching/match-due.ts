import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { isUuid } from '@kontor/kernel';
import { MATCH_BANK } from '../../due-kinds.js';
import { MatchLines } from './match-lines.js';

/** Looked at again are at most so many lines, the newest: older ones are for people. */
const AGAIN_LIMIT = 5000;

/** Lines that an import left unmatched, and lines that documents opened later may be for. */
@DueHandler({ kind: MATCH_BANK, batchSize: 4 })
export class MatchDue {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchLines,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      if (isUuid(item.ref)) await this.matching.import(batch.tenantId, item.ref);
      else await this.matching.again(batch.tenantId, AGAIN_LIMIT);
      await this.database.tenant(batch.tenantId, (tx) => completeDue(tx, MATCH_BANK, item, null), { now: batch.now });
    }
  }
}
