import type { ConsumerHandler } from '../consumer/consumer-handler.js';
import type { MessagingDatabase } from '../ports.js';
import { describeError } from './classify-error.js';
import { invokeHandler, withContext } from './apply-events.js';
import { lockAggregate } from './park.js';
import { readEnvelope } from './read-envelope.js';

export interface ParkedMessage {
  readonly id: string;
  readonly consumer: string;
  readonly tenantId: string;
  readonly topic: string;
  readonly aggregateId: string;
  readonly eventId: string;
  readonly type: string;
  /** `behind`: nothing wrong with it, an earlier one of its aggregate is parked. */
  readonly reason: 'poison' | 'behind';
  readonly error: string | null;
  readonly parkedAt: Date;
}

/** Messages that wait for an operator: of a consumer, or (`relay`) of what the broker refused. */
export interface WaitingMessages {
  readonly part: string;
  readonly count: number;
  readonly since: Date;
  /** Of the first one. */
  readonly error: string;
}

/** An event that the broker refused, or that waits behind one of its aggregate. */
export interface RefusedEvent {
  readonly eventId: string;
  readonly tenantId: string;
  readonly topic: string;
  readonly aggregateId: string;
  readonly since: Date;
}

const REFUSED = 'the broker refuses it';

const COLUMNS = `id::text, consumer, tenant_id::text AS "tenantId", topic, aggregate_id AS "aggregateId",
  event_id::text AS "eventId", type, reason, error, parked_at AS "parkedAt"`;

/** Messages that could not be applied, and what operators do with them. */
export class ParkedMessages {
  constructor(
    private readonly database: MessagingDatabase,
    private readonly handlers: () => readonly ConsumerHandler[],
  ) {}

  /** Oldest first; of one tenant or of all. */
  list(tenantId?: string): Promise<ParkedMessage[]> {
    return this.database.system((sql) =>
      sql.query<ParkedMessage>(
        `SELECT ${COLUMNS} FROM parked WHERE $1::uuid IS NULL OR tenant_id = $1 ORDER BY id LIMIT 1000`,
        [tenantId ?? null],
      ),
    );
  }

  async find(id: string): Promise<ParkedMessage | undefined> {
    const rows = await this.database.system((sql) =>
      sql.query<ParkedMessage>(`SELECT ${COLUMNS} FROM parked WHERE id = $1`, [id]),
    );
    return rows[0];
  }

  /** What was not published, oldest first. */
  refused(): Promise<RefusedEvent[]> {
    return this.database.system((sql) =>
      sql.query<RefusedEvent>(
        `SELECT event_id::text AS "eventId", tenant_id::text AS "tenantId", topic, aggregate_id AS "aggregateId", quarantined_at AS since
         FROM outbox_quarantine ORDER BY outbox_id LIMIT 1000`,
      ),
    );
  }

  /** How many there are, with what was not published, for whoever watches the system. */
  waiting(): Promise<WaitingMessages[]> {
    return this.database.system((sql) =>
      sql.query<WaitingMessages>(
        `SELECT consumer AS part, count(*)::int AS count, min(parked_at) AS since,
           coalesce((array_agg(error ORDER BY id) FILTER (WHERE error IS NOT NULL))[1], '') AS error
         FROM parked GROUP BY consumer
         UNION ALL
         SELECT 'relay', count(*)::int, min(quarantined_at), $1 FROM outbox_quarantine HAVING count(*) > 0
         ORDER BY since`,
        [REFUSED],
      ),
    );
  }

  /**
   * Applies the parked messages of every aggregate again, in their order, once their cause
   * is repaired. An aggregate whose first message fails again stays as it is. Ends between two messages when aborted.
   */
  async replay(signal?: AbortSignal): Promise<{ applied: number; failed: number }> {
    const heads = await this.database.system((sql) =>
      sql.query<ParkedMessage>(
        `SELECT DISTINCT ON (consumer, tenant_id, topic, aggregate_id) ${COLUMNS} FROM parked
         ORDER BY consumer, tenant_id, topic, aggregate_id, id`,
      ),
    );
    const result = { applied: 0, failed: 0 };
    for (const head of heads) {
      let outcome: 'applied' | 'failed' | 'none' = 'applied';
      while (outcome === 'applied' && !signal?.aborted) {
        outcome = await this.replayNext(head);
        if (outcome !== 'none') result[outcome]++;
      }
    }
    return result;
  }

  /** Gives one message up: its effect will never happen, what waits behind it can be replayed. */
  async discard(id: string): Promise<void> {
    await this.database.system((sql) => sql.query('DELETE FROM parked WHERE id = $1', [id]));
  }

  private async replayNext(aggregate: ParkedMessage): Promise<'applied' | 'failed' | 'none'> {
    const next = await this.next(aggregate);
    if (!next) return 'none';
    try {
      const event = readEnvelope(next.envelope);
      const handler = this.handlers().find((h) => h.consumer === aggregate.consumer && h.types.includes(event.type));
      if (!handler) throw new Error(`no handler of ${aggregate.consumer} handles ${event.type} any more`);
      const effect = (): Promise<void> =>
        this.database.tenant(
          event.tenantId,
          async (tx) => {
            await lockAggregate(tx, aggregate.consumer, event);
            const claimed = await tx.query('DELETE FROM parked WHERE id = $1 RETURNING id', [next.id]);
            if (claimed.length > 0) await invokeHandler(handler, [event], tx);
          },
          { now: new Date(event.effectiveAt) },
        );
      await withContext(event.headers, effect);
      return 'applied';
    } catch (error) {
      await this.database.system((sql) =>
        sql.query("UPDATE parked SET reason = 'poison', error = $2 WHERE id = $1", [next.id, describeError(error)]),
      );
      return 'failed';
    }
  }

  private async next(aggregate: ParkedMessage): Promise<{ id: string; envelope: string } | undefined> {
    const { consumer, tenantId, topic, aggregateId } = aggregate;
    const rows = await this.database.system((sql) =>
      sql.query<{ id: string; envelope: string }>(
        'SELECT id::text, envelope FROM parked WHERE consumer = $1 AND tenant_id = $2 AND topic = $3 AND aggregate_id = $4 ORDER BY id LIMIT 1',
        [consumer, tenantId, topic, aggregateId],
      ),
    );
    return rows[0];
  }
}
