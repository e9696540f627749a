import type { Sql } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { LedgerOperation } from '../domain/postings.js';
import { type BookingOutcome, bookTransfers } from './book-transfers.js';

interface Waiting {
  readonly operation: LedgerOperation;
  readonly resolve: (outcome: BookingOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/**
 * Books single operations, many at a time: what arrives while a batch of the tenant is on its way to the disk forms the
 * next batch. A hot wallet thus costs one lock and one commit per batch and not per booking. No timer: the first one
 * never waits for company. Each operation is answered after its commit, and an overdraft fails alone.
 *
 * For bookings that stand on their own; a booking that belongs to other rows is made in their transaction.
 */
@Injectable()
export class LedgerWriter {
  private readonly queues = new Map<string, Waiting[]>();
  private readonly sql: Sql;

  constructor(database: Database) {
    // One statement is one transaction: book_transfers sets the tenant itself.
    this.sql = {
      query: async (text, params) => (await database.pool.query({ name: text.slice(0, 40), text, values: params as unknown[] })).rows,
    };
  }

  /** Books one operation and waits for its commit. */
  post(tenantId: string, operation: LedgerOperation): Promise<BookingOutcome> {
    return new Promise((resolve, reject) => {
      const waiting = this.queues.get(tenantId);
      if (waiting) {
        waiting.push({ operation, resolve, reject });
        return;
      }
      this.queues.set(tenantId, [{ operation, resolve, reject }]);
      void this.drain(tenantId);
    });
  }

  private async drain(tenantId: string): Promise<void> {
    for (let queue = this.queues.get(tenantId) ?? []; queue.length > 0; queue = this.queues.get(tenantId) ?? []) {
      const { batch, rest } = split(queue);
      this.queues.set(tenantId, rest);
      await this.book(tenantId, batch);
    }
    this.queues.delete(tenantId);
  }

  /** A batch that fails as a whole is tried one by one, so that one bad operation is nobody else's trouble. */
  private async book(tenantId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await bookTransfers(this.sql, tenantId, null, batch.map((waiting) => waiting.operation)); // prettier-ignore
      for (const waiting of batch) waiting.resolve(outcomes.get(waiting.operation.key) as BookingOutcome);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const waiting of batch) await this.book(tenantId, [waiting]);
    }
  }
}

/** The next batch: at most so many, and no key twice. */
function split(queue: readonly Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const keys = new Set<string>();
  const batch: Waiting[] = [];
  const rest: Waiting[] = [];
  for (const waiting of queue) {
    if (batch.length < MAX_BATCH && !keys.has(waiting.operation.key)) {
      keys.add(waiting.operation.key);
      batch.push(waiting);
    } else rest.push(waiting);
  }
  return { batch, rest };
}
