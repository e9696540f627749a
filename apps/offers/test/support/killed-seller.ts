import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { eventually, type TestDatabase } from '@kontor/testing';
import pg from 'pg';
import type { BillingStandIn, Moment } from './billing-stand-in.js';

/** Where a process is killed: while a neighbour is asked, or while it waits to write a table; or the one and then the other. */
export interface Place {
  readonly name: string;
  readonly asked?: string;
  readonly moment?: Moment;
  readonly table?: string;
}

interface Running {
  readonly process: ChildProcess;
  readonly url: string;
}

const script = fileURLToPath(new URL('../offers-service.mjs', import.meta.url));

/** The service as processes of their own, one after the other on the same database. */
export class KilledSeller {
  private running: Running | null = null;

  private constructor(
    private readonly db: TestDatabase,
    private readonly billing: BillingStandIn,
    private readonly owner: pg.Client,
  ) {}

  static async on(db: TestDatabase, billing: BillingStandIn): Promise<KilledSeller> {
    const owner = new pg.Client({ connectionString: db.adminUrl });
    await owner.connect();
    return new KilledSeller(db, billing, owner);
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.owner.end();
  }

  /** Of the process that runs, or of a new one. */
  async url(): Promise<string> {
    this.running ??= await this.start();
    return this.running.url;
  }

  /** Does `work` until the place is reached, and kills the process there. */
  async killedAt({ asked, moment, table }: Place, work: (url: string) => Promise<unknown>): Promise<void> {
    const url = await this.url();
    const { isReached, release } = this.holdAt(asked, moment);
    if (!asked && table) await this.lock(table);
    const answer = work(url).then(
      () => 'answered',
      () => 'interrupted',
    );
    if (asked) await eventually(isReached, `${asked} is asked`);
    if (asked && table) {
      await this.lock(table);
      release();
    }
    if (table) await this.untilItWaitsFor(table);
    await this.kill();
    await answer;
    if (table) await this.owner.query('ROLLBACK');
    release();
    await this.untilItsTransactionsHaveEnded();
  }

  /** Whatever has to be done is due now, for whoever comes. */
  async untilDone(kind: string, tenantId: string): Promise<void> {
    await this.url();
    await eventually(async () => {
      const { rowCount } = await this.owner.query(
        'UPDATE due_work SET due_at = least(due_at, now()), poll_at = now(), retry_at = NULL WHERE kind = $1 AND tenant_id = $2',
        [kind, tenantId],
      );
      return rowCount === 0;
    }, `${kind} is done`);
  }

  private holdAt(asked: string | undefined, moment: Moment | undefined) {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isReached = false;
    this.billing.pause = asked
      ? ({ path }, now) => {
          if (!path.endsWith(asked) || now !== moment) return undefined;
          this.billing.pause = () => undefined;
          isReached = true;
          return held;
        }
      : () => undefined;
    return { isReached: () => isReached, release };
  }

  private async start(): Promise<Running> {
    const { ownerUrl, appUrl } = this.db;
    const child = spawn(process.execPath, [script], {
      env: {
        ...process.env,
        OWNER_URL: ownerUrl,
        APP_URL: appUrl,
        NEIGHBOURS_URL: this.billing.directory.pick('billing'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    return { process: child, url: first.toString().trim() };
  }

  private async kill(): Promise<void> {
    const { running } = this;
    this.running = null;
    if (!running) return;
    const ended = once(running.process, 'exit');
    running.process.kill('SIGKILL');
    await ended;
    // Nobody else is there who could hold any: what a dead process holds is free after some seconds.
    await this.owner.query('UPDATE due_work SET lease_until = NULL');
  }

  private async lock(table: string): Promise<void> {
    await this.owner.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  }

  private async untilItWaitsFor(table: string): Promise<void> {
    const waits = `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE NOT l.granted AND c.relname = $1`;
    await eventually(
      async () => ((await this.owner.query(waits, [table])).rowCount ?? 0) > 0,
      `the service at ${table}`,
    );
  }

  private async untilItsTransactionsHaveEnded(): Promise<void> {
    const busy = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND usename = $1 AND state <> 'idle' AND xact_start IS NOT NULL`;
    const user = decodeURIComponent(new URL(this.db.appUrl).username);
    await eventually(
      async () => (await this.owner.query(busy, [user])).rowCount === 0,
      'the end of the killed transaction',
    );
  }
}

/** Of an answer that must be a success. */
export async function ok(answer: Promise<Response>): Promise<Record<string, unknown>> {
  const response = await answer;
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Record<string, unknown>;
}
