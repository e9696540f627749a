import { Injectable } from '@nestjs/common';
import { Database, onCommit } from '@kontor/persistence';
import { DayPartitions, isWithoutPartition } from '../partitions/day-partitions.js';
import { CountBatch } from './count-batch.js';
import { EventBatch } from './event-batch.js';
import { guardOf } from './ingest-lane.js';
import type { IngestRequest, IngestResult } from './ingest-request.js';
import { insertEvents } from './insert-events.js';
import type { PreparedRequest } from './tenant-state.js';
import { TenantStates } from './tenant-states.js';

/** Each change of the tenant's metrics or customers meanwhile costs an attempt; there may be many of them. */
const ATTEMPTS = 50;
/** Raised by `usage_guard`. */
export const TENANT_CHANGED = 'KU001';

/**
 * The careful way of storing events: transactionIds may be known already. Requests of one tenant in one transaction as
 * the app role, which is the request's own where it carries an Idempotency-Key.
 */
@Injectable()
export class InsertRequests {
  constructor(
    private readonly database: Database,
    private readonly states: TenantStates,
    private readonly countBatch: CountBatch,
    private readonly dayPartitions: DayPartitions,
  ) {}

  /** The result of each request, in their order. */
  async execute(requests: readonly IngestRequest[]): Promise<IngestResult[]> {
    return this.attempt(requests, (results) => results);
  }

  /** As above for one request; a repeat with the same Idempotency-Key gets its result. */
  async executeOne(request: IngestRequest): Promise<IngestResult> {
    return this.attempt([request], ([result]) => result!);
  }

  private async attempt<T>(requests: readonly IngestRequest[], resultOf: (results: IngestResult[]) => T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const prepared: PreparedRequest[] = [];
      for (const request of requests) prepared.push(await this.states.prepare(request));
      try {
        return await this.insert(prepared, resultOf);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        if (isWithoutPartition(error)) await this.dayPartitions.ensure();
        else if ((error as { code?: string }).code !== TENANT_CHANGED) throw error;
        else for (const { state } of prepared) this.states.outdated(state);
      }
    }
  }

  private async insert<T>(prepared: readonly PreparedRequest[], resultOf: (results: IngestResult[]) => T): Promise<T> {
    const { state } = prepared[0]!;
    return this.database.tenant(state.tenantId, async (tx) => {
      const batch = new EventBatch(prepared, Date.now(), this.database.clock().getTime());
      await tx.query(guardOf(batch));
      const ids = await insertEvents(tx, state.tenantId, batch);
      state.noteDuplicates(ids.size < batch.rows.length);
      await this.countBatch.execute(tx.client, batch, ids);
      onCommit(tx, () => this.countBatch.committed(batch));
      return resultOf(batch.results(ids));
    });
  }
}
