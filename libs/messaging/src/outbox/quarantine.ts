import type { OutboxRecord } from '../bus/bus-port.js';
import type { DedicatedConnection } from '../ports.js';

const aggregateKey = (record: Pick<OutboxRecord, 'tenantId' | 'topic' | 'aggregateId'>): string =>
  `${record.tenantId}/${record.topic}/${record.aggregateId}`;

/**
 * Events that the broker refused for good, and the later ones of their aggregates, so that order holds. Rows in
 * `outbox_quarantine` are an alarm; `release` is set by an operator once the cause is gone.
 */
export class Quarantine {
  private aggregates = new Set<string>();

  constructor(private readonly session: DedicatedConnection) {}

  get isEmpty(): boolean {
    return this.aggregates.size === 0;
  }

  async load(): Promise<void> {
    await this.session.query('DELETE FROM outbox_released WHERE outbox_id < (SELECT min(id) FROM outbox)');
    const { rows } = await this.session.query(
      'SELECT DISTINCT tenant_id AS "tenantId", topic, aggregate_id AS "aggregateId" FROM outbox_quarantine',
    );
    this.aggregates = new Set(rows.map((row) => aggregateKey(row as OutboxRecord)));
  }

  async add(record: OutboxRecord): Promise<void> {
    this.aggregates.add(aggregateKey(record));
    await this.insert([record]);
  }

  /** Puts rows of quarantined aggregates aside and returns the others. */
  async divert(rows: readonly OutboxRecord[]): Promise<readonly OutboxRecord[]> {
    if (this.isEmpty) return rows;
    const waiting = rows.filter((row) => this.aggregates.has(aggregateKey(row)));
    if (waiting.length > 0) await this.insert(waiting);
    return rows.filter((row) => !this.aggregates.has(aggregateKey(row)));
  }

  async releasedIds(): Promise<bigint[]> {
    if (this.isEmpty) return [];
    const { rows } = await this.session.query(
      'SELECT outbox_id AS id FROM outbox_quarantine WHERE release ORDER BY outbox_id',
    );
    return rows.map((row) => BigInt((row as { id: string }).id));
  }

  /** What was released of an aggregate is not, any more. */
  async keep({ tenantId, topic, aggregateId }: OutboxRecord): Promise<void> {
    await this.session.query(
      'UPDATE outbox_quarantine SET release = false WHERE tenant_id = $1 AND topic = $2 AND aggregate_id = $3',
      [tenantId, topic, aggregateId],
    );
  }

  /** It is published, out of its place, which is noted: there it will not be found again. */
  async remove(id: bigint): Promise<void> {
    await this.session.query(
      `WITH gone AS (DELETE FROM outbox_quarantine WHERE outbox_id = $1 RETURNING outbox_id)
       INSERT INTO outbox_released (outbox_id) SELECT outbox_id FROM gone ON CONFLICT DO NOTHING`,
      [id.toString()],
    );
    await this.load();
  }

  private async insert(records: readonly OutboxRecord[]): Promise<void> {
    await this.session.query(
      `INSERT INTO outbox_quarantine (outbox_id, event_id, tenant_id, topic, aggregate_id)
       SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
      [
        records.map((r) => r.id.toString()),
        records.map((r) => r.eventId),
        records.map((r) => r.tenantId),
        records.map((r) => r.topic),
        records.map((r) => r.aggregateId),
      ],
    );
  }
}
