import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SERVICES } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { type SandboxClockRow, sandboxClocks } from '../db/sandbox-clock.row.js';
import {
  type ClockProblem,
  isDue,
  isQuiescent,
  progressOf,
  nextInstant,
  parkedIn,
  type Snapshot,
  blockers,
} from '../domain/quiescence.js';
import { ADVANCE } from './advance-clock.js';
import { ClockServices } from './clock-services.js';

/** A step in which nothing moved for so long is abandoned. */
const STUCK_MS = 60_000;
const SHORTEST_LOOK_MS = 5;
const LONGEST_LOOK_MS = 100;

/** The end of a step: at rest with everything seen, or why not. */
type Step = { readonly snapshot: Snapshot } | { readonly problems: ClockProblem[] };

/**
 * Moves a sandbox clock to its target from one due time to the next: set it everywhere, let everything due happen, wait until
 * all is at rest. Every part can be repeated, so after a crash it resumes from the clock's time.
 */
@Injectable()
@DueHandler({ kind: ADVANCE, batchSize: 1, parallel: 32 })
export class DriveClock {
  constructor(
    private readonly db: Database,
    private readonly services: ClockServices,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    const { tenantId, signal } = batch;
    const clock = await this.db.tenant(tenantId, (tx) => sandboxClocks.findOne(tx, {}), { readOnly: true });
    const problems = clock?.target ? await this.drive(tenantId, clock, clock.target, signal) : [];
    const [item] = batch.items;
    invariant(item, 'a batch has an item');
    await this.db.tenant(tenantId, async (tx) => {
      // A tenant whose last term ended meanwhile has none any more.
      if (clock && (await sandboxClocks.findOne(tx, {})))
        await sandboxClocks.update(tx, { status: 'ready', target: null, problems }, ['status', 'target', 'problems']);
      await completeDue(tx, ADVANCE, item);
    });
  }

  private async drive(
    tenantId: string,
    clock: SandboxClockRow,
    target: Date,
    signal: AbortSignal,
  ): Promise<ClockProblem[]> {
    // The first step freezes a clock that was real, and lets what is under way come to rest before time moves.
    for (let at = await this.db.now(tenantId); ;) {
      const step = await this.step(tenantId, clock, at, signal);
      if ('problems' in step) return step.problems;
      if (at >= target) return [];
      at = nextInstant(step.snapshot, target);
    }
  }

  /**
   * Lets everything happen that happens at `at`. A service that does not answer is asked again, until nothing has moved for too long: whether
   * anything has, another look says, so that work whose answer is not waited for, or is lost, goes on.
   */
  private async step(tenantId: string, clock: SandboxClockRow, at: Date, signal: AbortSignal): Promise<Step> {
    const seen: Seen = { set: false, movedAt: performance.now(), heardAt: performance.now() };
    for (let pauseMs = SHORTEST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_LOOK_MS)) {
      signal.throwIfAborted();
      try {
        if (!seen.set) await this.services.set(tenantId, at);
        seen.set = true;
        const snapshot = await this.services.look(tenantId);
        const problems = await this.newlyParked(tenantId, clock, snapshot);
        if (problems.length > 0) return { problems };
        if (isQuiescent(seen.earlier, snapshot, at)) return { snapshot };
        if (progressOf(snapshot) !== seen.progress)
          Object.assign(seen, { movedAt: performance.now(), progress: progressOf(snapshot) });
        else if (isOver(seen.movedAt)) return { problems: seen.trouble ? [seen.trouble] : stuck(snapshot, at) };
        // Quiescent so far: confirm it at once.
        if (seen.earlier === undefined || blockers(snapshot, at).length === 0) pauseMs = SHORTEST_LOOK_MS;
        seen.earlier = snapshot;
      } catch (error) {
        const trouble = troubleOf(error);
        if (isOver(seen.heardAt)) return { problems: [trouble] };
        Object.assign(seen, { trouble, earlier: undefined });
        await sleep(LONGEST_LOOK_MS);
        continue;
      }
      try {
        const failed = await this.runDue(tenantId, seen.earlier, at);
        if (failed.length > 0) return { problems: failed };
        seen.trouble = undefined;
      } catch (error) {
        seen.trouble = troubleOf(error);
      }
      seen.heardAt = performance.now();
      await sleep(seen.trouble ? LONGEST_LOOK_MS : pauseMs);
    }
  }

  private async runDue(tenantId: string, snapshot: Snapshot, at: Date): Promise<ClockProblem[]> {
    const due = SERVICES.filter((service) => snapshot[service] && isDue(snapshot[service], at));
    const failures = await Promise.all(
      due.map(async (service) => ({ service, failed: await this.services.runDue(service, tenantId, at) })),
    );
    return failures.flatMap(({ service, failed }) =>
      failed.map(({ kind, ref, error }) => ({
        code: 'due_work_failed' as const,
        service,
        detail: `${kind} ${ref}: ${error}`,
      })),
    );
  }

  /** A message that was parked during this advance will not have its effect: time must not go on without it. */
  private async newlyParked(tenantId: string, clock: SandboxClockRow, snapshot: Snapshot): Promise<ClockProblem[]> {
    if (clock.parkedBefore === null) {
      clock.parkedBefore = parkedIn(snapshot);
      await this.db.tenant(tenantId, (tx) =>
        sandboxClocks.update(tx, { parkedBefore: clock.parkedBefore }, ['parkedBefore']),
      );
    }
    if (parkedIn(snapshot) <= clock.parkedBefore) return [];
    return Object.entries(snapshot)
      .filter(([, progress]) => progress.parked > 0)
      .map(([service, { parked }]) => ({
        code: 'message_parked',
        service,
        detail: `${parked} messages are parked: see the log, repair the cause and start the service again, which tries them again.`,
      }));
  }
}

/** What a step knows of the services. */
interface Seen {
  set: boolean;
  earlier?: Snapshot;
  progress?: string;
  /** Since when all looks have been the same. */
  movedAt: number;
  /** When all answered, or had done what they were asked for, at last. */
  heardAt: number;
  trouble?: ClockProblem;
}

const isOver = (since: number): boolean => performance.now() - since > STUCK_MS;

const troubleOf = (error: unknown): ClockProblem => ({
  code: 'service_unavailable',
  service: (error as { service?: string }).service ?? 'identity',
  detail: (error as Error).message,
});

const stuck = (snapshot: Snapshot, at: Date): ClockProblem[] =>
  blockers(snapshot, at).map(({ service, detail }) => ({
    code: 'not_quiescent',
    service,
    detail: `At ${at.toISOString()} for ${STUCK_MS / 1000} s: ${detail}.`,
  }));
