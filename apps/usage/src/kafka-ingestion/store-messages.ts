import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, onCommit, type SystemTx } from '@kontor/persistence';
import { Log, ServiceConfig } from '@kontor/service-kit';
import { CountBatch } from '../event-store/count-batch.js';
import { EventBatch } from '../event-store/event-batch.js';
import { guardOf, IngestLane } from '../event-store/ingest-lane.js';
import type { IngestRequest } from '../event-store/ingest-request.js';
import { insertEvents } from '../event-store/insert-events.js';
import { TENANT_CHANGED } from '../event-store/insert-requests.js';
import type { PreparedRequest } from '../event-store/tenant-state.js';
import { TenantStates } from '../event-store/tenant-states.js';
import { DayPartitions, isWithoutPartition } from '../partitions/day-partitions.js';
import { type Allowed, type IntakeMessage, readMessages, type Refusal, tenantOf } from './read-messages.js';

/** The partition stands elsewhere: another member of the group has read on, or the database came back older. */
export const STANDS_ELSEWHERE = 'KU002';
/** Pages of different partitions that are stored at the same time. */
export const PAGES_AT_ONCE = 2;
const ATTEMPTS = 10;

/** Messages of one partition, in order. */
export interface MessagePage {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly IntakeMessage[];
  /** The partition's stored position when it was read last. */
  readonly known: bigint;
  readonly next: bigint;
}

/**
 * Stores the events of a page of messages, the messages that were refused, and the partition's position in one
 * transaction: after a crash anywhere each message is there once. COPY first; with a known transactionId in it the page
 * is inserted the careful way.
 */
@Injectable()
export class StoreMessages implements OnModuleDestroy {
  private readonly lanes: readonly IngestLane[];

  constructor(
    private readonly database: Database,
    private readonly states: TenantStates,
    private readonly countBatch: CountBatch,
    private readonly dayPartitions: DayPartitions,
    config: ServiceConfig,
    log: Log,
  ) {
    const { ingestUrl } = config;
    const onError = (error: Error): void => log.warn({ err: error }, 'an intake connection was lost');
    this.lanes =
      ingestUrl === null ? [] : Array.from({ length: PAGES_AT_ONCE }, () => new IngestLane(ingestUrl, onError));
  }

  /**
   * `customersHaveCome` is asked where a customer is not known: while it says no, nothing of the page is stored or refused.
   * @throws Error with code KU002 when the partition does not stand at `known`; any other error is of the moment.
   */
  async execute(page: MessagePage, allowed: Allowed, customersHaveCome: () => Promise<boolean>): Promise<void> {
    this.database.storage.requireRoom();
    const { requests, refused } = readMessages(page.messages, allowed);
    let careful = refused.length > 0;
    for (let attempt = 1; ; attempt++) {
      let prepared = await this.prepare(requests);
      if (prepared.some(namesUnknown)) {
        if (!(await customersHaveCome())) throw new Error('customers are still on their way');
        prepared = await this.prepare(requests);
      }
      try {
        if (careful || prepared.some(namesUnknown) || !(await this.copy(page, prepared)))
          await this.insert(page, prepared, refused);
        return;
      } catch (error) {
        const { code } = error as { code?: string };
        if (attempt === ATTEMPTS || code === STANDS_ELSEWHERE) throw error;
        if (code === TENANT_CHANGED) for (const { state } of prepared) this.states.outdated(state);
        else if (isWithoutPartition(error)) await this.dayPartitions.ensure();
        else if (careful) throw error;
        else careful = true;
      }
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  private async prepare(requests: readonly IngestRequest[]): Promise<PreparedRequest[]> {
    const prepared: PreparedRequest[] = [];
    for (const request of requests) prepared.push(await this.states.prepare(request, { ownerMustAnswer: true }));
    return prepared;
  }

  /** False when the page is nothing for COPY: an event in it is refused. */
  private async copy(page: MessagePage, prepared: readonly PreparedRequest[]): Promise<boolean> {
    const batch = new EventBatch(prepared, Date.now(), this.database.clock().getTime());
    const lane = this.lanes.find(({ busy }) => !busy);
    if (!lane || batch.rows.length === 0 || batch.results().some(({ failed }) => failed > 0)) return false;
    lane.busy = true;
    try {
      const also = `SELECT usage_intake_advance('${page.topic}', ${page.partition}, ${page.known}, ${page.next})`;
      await lane.copy(batch, { also, ...this.countBatch.alongside(batch) });
      this.countBatch.committed(batch);
    } finally {
      lane.busy = false;
    }
    return true;
  }

  private async insert(
    page: MessagePage,
    prepared: readonly PreparedRequest[],
    refused: readonly Refusal[],
  ): Promise<void> {
    await this.database.system(async (sql) => {
      await sql.query('SELECT usage_intake_advance($1, $2, $3, $4)', [
        page.topic,
        page.partition,
        page.known,
        page.next,
      ]);
      const all = [...refused];
      for (const request of prepared) {
        const batch = new EventBatch([request], Date.now(), this.database.clock().getTime());
        // Sets the tenant, whose rows alone can be written from here on.
        await sql.query(guardOf(batch));
        const ids = await insertEvents(sql, request.state.tenantId, batch);
        await this.countBatch.execute(sql.client, batch, ids);
        onCommit(sql, () => this.countBatch.committed(batch));
        all.push(...batch.results()[0]!.errors);
      }
      await park(sql, page, all);
    });
  }
}

const namesUnknown = ({ unknown }: PreparedRequest): boolean => unknown.size > 0;

async function park(
  sql: SystemTx,
  { topic, partition, messages }: MessagePage,
  refused: readonly Refusal[],
): Promise<void> {
  if (refused.length === 0) return;
  const parked = refused.map(({ index }) => messages[index]!);
  await sql.query(
    `INSERT INTO usage_intake_parked (topic, partition, "offset", tenant, code, message, value)
     SELECT $1, $2, e.*
     FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::bytea[]) AS e
     ON CONFLICT DO NOTHING`,
    [
      topic,
      partition,
      parked.map(({ offset }) => offset),
      parked.map((message) => tenantOf(message) ?? null),
      refused.map(({ code }) => code),
      refused.map(({ message }) => message),
      parked.map(({ value }) => value ?? Buffer.alloc(0)),
    ],
  );
}
