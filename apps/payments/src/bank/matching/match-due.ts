import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { isUuid } from '@kontor/kernel';
import { MATCH_BANK, OPEN_RETURNS } from '../../due-kinds.js';
import { MatchLines } from './match-lines.js';

/** Looked at again are at most so many lines, the newest: older ones are for people. */
const AGAIN_LIMIT = 5000;

/** Of returned money so many, in the same way. */
const RETURNS_LIMIT = 500;

/** Lines that an import left unmatched, lines that documents opened later may be for, and returns of what was paid later. */
@DueHandler({ kind: MATCH_BANK, batchSize: 4 })
export class MatchDue {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchLines,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      if (isUuid(item.ref)) await this.matching.import(batch.tenantId, item.ref);
      else if (item.ref === OPEN_RETURNS) await this.matching.returns(batch.tenantId, RETURNS_LIMIT);
      else await this.matching.again(batch.tenantId, AGAIN_LIMIT);
      await this.database.tenant(batch.tenantId, (tx) => completeDue(tx, MATCH_BANK, item, null), { now: batch.now });
    }
  }
}
