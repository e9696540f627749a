import { setTimeout as sleep } from 'node:timers/promises';
import { testSeed } from '@kontor/testing';
import { eventually } from '../support/api.js';
import type { Sandbox, System } from '../support/system.js';
import { type Job, type JobKind } from './jobs/job.js';
import { JOBS } from './jobs/index.js';
import { Meeting } from './meeting.js';

/** Something that breaks, and is repaired. */
export interface Fault {
  readonly name: string;
  /** How long, unless it is over at once. */
  readonly lastsMs?: number;
  begin(): Promise<void> | void;
  /** Takes the cause away; what it left behind heals by itself. */
  end(): Promise<void> | void;
}

const LASTS_MS = 5_000;
const MOST_STEPS = 8;

/** All jobs, each in a tenant of its own, on one running system that meets one fault after the other. */
export class Jobs {
  private running: readonly { kind: JobKind; job: Job }[] | undefined;
  private rounds = 0;

  constructor(private readonly system: System) {}

  /**
   * A round of every job at once; in the middle of it the fault begins, and ends. Resolves when all has come through, with
   * the seconds that each job took from the end of the cause.
   */
  async through(fault: Fault): Promise<Record<string, number>> {
    const jobs = await this.started();
    this.running = undefined;
    const meeting = new Meeting(jobs.length);
    const ends = new Map<string, number>();
    const rounds = jobs.map(async ({ kind, job }) => {
      try {
        await job.round(meeting);
      } catch (error) {
        meeting.fail(error);
        throw new Error(`${kind.name}: ${(error as Error).message}`, { cause: error });
      }
      ends.set(kind.name, performance.now());
    });
    const all = Promise.allSettled(rounds);
    // At another moment with each commit and round.
    const middle = meeting.struck((testSeed + 3 * this.rounds++) % MOST_STEPS);
    let healed = 0;
    if (await middle.then(() => true).catch(() => false)) {
      try {
        await fault.begin();
        await sleep(fault.lastsMs ?? LASTS_MS);
      } finally {
        await fault.end();
      }
      healed = performance.now();
    }
    for (const round of await all) if (round.status === 'rejected') throw round.reason;
    this.running = jobs;
    return Object.fromEntries([...ends].map(([name, end]) => [name, Math.max(0, (end - healed) / 1000)]));
  }

  /** Those of the last round; in fresh tenants when that one failed. */
  private async started(): Promise<readonly { kind: JobKind; job: Job }[]> {
    return (
      this.running ??
      Promise.all(
        JOBS.map(async (kind) => {
          // After a fault that was not come through it may take its time.
          const { api } = await eventually('a tenant', () => this.sandbox(kind).catch(() => undefined));
          return { kind, job: await kind.start(api) };
        }),
      )
    );
  }

  private sandbox({ now }: JobKind): Promise<Sandbox> {
    return this.system.sandbox(now === undefined ? {} : { now });
  }
}
