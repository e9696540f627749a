import { invariant } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem, scheduleDue } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { AnonymizationPart } from '../db/anonymization.row.js';
import * as tables from '../db/tables.js';
import { ANONYMIZATION } from './anonymize-customer.js';
import { AskServices } from './ask-services.js';
import { ANONYMIZATION_TERM } from './end-of-term.handler.js';
import { nextLook, nextTermOf, ROUNDS } from './next-look.js';

/** Asks every service to take away what it knows of a customer, until nothing is left: each call goes on where the last one was. */
@Injectable()
@DueHandler({ kind: ANONYMIZATION, batchSize: 10 })
export class AnonymizationHandler {
  constructor(
    private readonly database: Database,
    private readonly services: AskServices,
  ) {}

  async handle({ tenantId, items, signal }: DueBatch): Promise<void> {
    for (const item of items) {
      if (signal.aborted) return;
      await this.store(tenantId, item, await this.services.erase(tenantId, item.ref));
    }
  }

  private async store(tenantId: string, item: DueItem, parts: AnonymizationPart[]): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const row = await tables.anonymizations.findOne(tx, { customerId: item.ref }, { lock: 'update' });
      invariant(row, 'an anonymization is stored when its work is scheduled');
      const now = new Date();
      row.parts = parts;
      row.rounds = parts.every(({ done }) => done) ? row.rounds + 1 : row.rounds;
      if (row.rounds >= ROUNDS) row.completedAt ??= now;
      await tables.anonymizations.update(tx, row);
      const nextTerm = nextTermOf(parts);
      if (nextTerm) await scheduleDue(tx, { kind: ANONYMIZATION_TERM, ref: item.ref, dueAt: nextTerm });
      await completeDue(tx, ANONYMIZATION, item, nextLook(row, now));
    });
  }
}
