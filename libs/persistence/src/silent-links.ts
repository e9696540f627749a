import type { Socket } from 'node:net';
import pg from 'pg';
import { within } from './open-tenant-tx.js';

/** So long nothing passes before the server is asked what it does. */
const SILENCE_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;
const LOOK_MS = 1_000;
/** What was sent may be on its way for longer: as much as the kernels of both sides hold, over a slow line. */
const ON_ITS_WAY = { bytes: 4 * 1024 * 1024, bytesPerMs: 128 };

/** What pg shows of a connection. */
interface Wire {
  /** Every statement is answered. */
  readonly readyForQuery: boolean;
  /** The server's process, if it is the server itself that was connected to. */
  readonly processID: number;
  readonly connection: { readonly stream: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null } };
}

interface Link {
  readonly openedAt: number;
  /** Bytes that were sent before it began to owe an answer. */
  answered: number;
  /** Bytes in both directions, and since when there are no more. */
  passed: number;
  since: number;
}

/** Processes that wait for this side, and those that have ended without a word. A pooler's numbers are not the server's: they say nothing. */
const WHO_WAITS = `
  SELECT asked.pid FROM unnest($1::int[]) AS asked (pid)
  LEFT JOIN pg_stat_activity a ON a.pid = asked.pid AND a.usename = current_user
  WHERE pg_backend_pid() = $2
    AND (a.pid IS NULL OR (a.wait_event_type = 'Client' AND a.state_change < now() - interval '1 second'))`;

/** A number may be another process's by now, but no older one's. */
const END = `
  SELECT pg_terminate_backend(a.pid) FROM unnest($1::int[], $2::float8[]) AS lost (pid, age_seconds)
  JOIN pg_stat_activity a ON a.pid = lost.pid AND a.usename = current_user
  WHERE pg_backend_pid() = $3 AND extract(epoch FROM clock_timestamp() - a.backend_start) >= lost.age_seconds - 1`;

/**
 * Finds connections whose link passes nothing any more and does not end, as behind a proxy that still answers the probes of TCP. Both sides
 * would wait for each other, this one for its answer, the server for the next statement, and keep what the transaction has locked. Where
 * an answer is long in coming, the server is asked by a new connection: when it waits for us, the link is lost, and both sides of it are ended.
 * A statement that the server is at work on is left alone, however long it takes.
 */
export class SilentLinks {
  private readonly links = new Map<pg.ClientBase, Link>();
  /** Ended on this side; the server may not have heard of it. */
  private readonly givenUp = new Map<pg.ClientBase, Link>();
  private timer: NodeJS.Timeout | undefined;
  private asking = false;

  constructor(
    private readonly options: pg.ClientConfig,
    private readonly silenceMs = SILENCE_MS,
    /** Others may be lost as well. */
    private readonly onLost: () => void = () => undefined,
  ) {}

  /** From when it is connected until it has ended. */
  watch(client: pg.ClientBase): void {
    if (this.links.has(client)) return;
    const now = performance.now();
    this.links.set(client, { openedAt: now, answered: sentOn(client), passed: passedOn(client), since: now });
    client.once('end', () => void this.links.delete(client));
    this.timer ??= setInterval(() => this.look(), Math.min(LOOK_MS, this.silenceMs)).unref();
  }

  /** Nobody waits for its answer any more: what the server still does for it, or has locked, is ended. */
  giveUp(client: pg.ClientBase): void {
    const link = this.links.get(client);
    if (!link) return;
    this.links.delete(client);
    this.givenUp.set(client, link);
  }

  stop(): void {
    clearInterval(this.timer);
    this.links.clear();
    this.givenUp.clear();
  }

  private look(): void {
    const now = performance.now();
    const silent = [...this.links.keys()].filter((client) => this.passesNothing(client, now));
    if (this.links.size + this.givenUp.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    if (this.asking || silent.length + this.givenUp.size === 0) return;
    this.asking = true;
    this.endLost(silent)
      // The server does not answer anybody: it is asked again.
      .catch(() => undefined)
      .finally(() => (this.asking = false));
  }

  private passesNothing(client: pg.ClientBase, now: number): boolean {
    const link = this.links.get(client)!;
    const passed = passedOn(client);
    const isAnswered = wireOf(client).readyForQuery;
    if (isAnswered) link.answered = sentOn(client);
    if (isAnswered || passed !== link.passed) link.since = now;
    link.passed = passed;
    const onItsWay = Math.min(sentOn(client) - link.answered, ON_ITS_WAY.bytes);
    return now - link.since >= this.silenceMs + onItsWay / ON_ITS_WAY.bytesPerMs;
  }

  private async endLost(silent: readonly pg.ClientBase[]): Promise<void> {
    const server = new pg.Client({
      ...this.options,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    server.on('error', () => undefined);
    try {
      await server.connect();
      if (silent.length > 0) await this.find(server, silent);
      if (this.givenUp.size > 0) await this.end(server);
    } finally {
      server.end().catch(() => undefined);
    }
  }

  private async find(server: pg.Client, silent: readonly pg.ClientBase[]): Promise<void> {
    const pids = silent.map((client) => wireOf(client).processID);
    const { rows } = await server.query<{ pid: number }>(WHO_WAITS, [pids, wireOf(server).processID]);
    const lost = new Set(rows.map(({ pid }) => pid));
    const now = performance.now();
    for (const client of silent) {
      const link = this.links.get(client);
      // The answer may have come meanwhile.
      if (!link || !this.passesNothing(client, now)) continue;
      if (lost.has(wireOf(client).processID)) {
        this.giveUp(client);
        wireOf(client).connection.stream.destroy(new Error('Connection terminated: nothing passes on it any more'));
      } else link.since = now;
    }
  }

  private async end(server: pg.Client): Promise<void> {
    const ended = [...this.givenUp];
    const ages = ended.map(([, { openedAt }]) => (performance.now() - openedAt) / 1000);
    await server.query(END, [ended.map(([client]) => wireOf(client).processID), ages, wireOf(server).processID]);
    for (const [client] of ended) this.givenUp.delete(client);
    this.onLost();
  }
}

/** Of all of a pool's connections, those included that nobody uses at the moment. Returns what ends it. */
export function watchPool(pool: pg.Pool, silenceMs?: number): () => void {
  const links = new SilentLinks(pool.options, silenceMs, () => void askIdle(pool, silenceMs ?? SILENCE_MS));
  pool.on('acquire', (client) => links.watch(client));
  pool.on('release', (error, client) => {
    if (error && isLost(error, client)) links.giveUp(client);
  });
  return () => links.stop();
}

const isLost = (error: Error, client: pg.ClientBase): boolean =>
  error.message === 'Query read timeout' || wireOf(client).connection.stream.destroyed;

/** When one is lost, so may be the others: whoever takes one shall not have to find out by waiting. */
async function askIdle(pool: pg.Pool, limitMs: number): Promise<void> {
  const asked = Array.from({ length: pool.idleCount }, async () => {
    const client = await pool.connect();
    try {
      await client.query(within(limitMs, 'SELECT 1'));
      client.release();
    } catch (error) {
      client.release(error as Error);
    }
  });
  await Promise.allSettled(asked);
}

const wireOf = (client: pg.ClientBase): Wire => client as unknown as Wire;

/** What this side has written, whether or not it has left already. */
const sentOn = (client: pg.ClientBase): number => wireOf(client).connection.stream.bytesWritten;

function passedOn(client: pg.ClientBase): number {
  const { bytesRead, bytesWritten, _handle: handle } = wireOf(client).connection.stream;
  return bytesRead + bytesWritten - (handle?.writeQueueSize ?? 0);
}
