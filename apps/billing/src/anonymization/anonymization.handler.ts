import { type ErasureResponse, SERVICES } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { AnonymizationPart } from '../db/anonymization.row.js';
import * as tables from '../db/tables.js';
import { ANONYMIZATION } from './anonymize-customer.js';
import { nextLook, ROUNDS } from './next-look.js';

/** A service works for so long and answers how far it came. */
const TIMEOUT_MS = 20_000;

/** Asks every service to take away what it knows of a customer, until nothing is left: each call goes on where the last one was. */
@Injectable()
@DueHandler({ kind: ANONYMIZATION, batchSize: 10 })
export class AnonymizationHandler {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  async handle({ tenantId, items, signal }: DueBatch): Promise<void> {
    for (const item of items) {
      if (signal.aborted) return;
      await this.store(tenantId, item, await this.ask(tenantId, item.ref));
    }
  }

  private ask(tenantId: string, customerId: string): Promise<AnonymizationPart[]> {
    const path = `/internal/customers/${customerId}/erasure`;
    return Promise.all(
      SERVICES.map(async (service) => ({
        service,
        ...(await this.internal.call<ErasureResponse>(service, 'POST', path, {}, { tenantId, timeoutMs: TIMEOUT_MS })),
      })),
    );
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
      await completeDue(tx, ANONYMIZATION, item, nextLook(row, now));
    });
  }
}
