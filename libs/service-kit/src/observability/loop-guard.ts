import { onLoopMark } from '@kontor/persistence';
import { type RequestContext, requestContext } from '../http/request-context.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

/** No request may hold the event loop for longer: all others wait. */
export const MAX_HOLD_MS = 200;
const TICK_MS = 50;
const MAX_NAMED = 5;

/** Filled where somebody put a list there, as the tests do. */
const HOLDS = Symbol.for('kontor.event-loop-holds');

export interface Hold {
  /** `POST /invoices`; undefined where it was not seen who did it. */
  readonly operation: string | undefined;
  readonly ms: number;
}

interface Reporter {
  readonly service: string;
  readonly log: Log;
  readonly count: (operation: string) => void;
}

/** Of this thread alone, so that other processes on the machine do not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Sees when something holds the event loop, and which request it was. Requests leave a mark where their work begins and
 * around their statements, a timer does when nothing runs; between two marks, long in time and in this thread's work, lies
 * a hold of whoever left the first. Costs one look at the clock per mark.
 */
class LoopGuard {
  private readonly reporters = new Set<Reporter>();
  private readonly running = new Set<RequestContext>();
  private timer: NodeJS.Timeout | undefined;
  private markedAt = 0;
  private tickedAtCpu = 0;
  private owner: RequestContext | undefined;

  /** Reports what a service's requests do until the returned function is called. */
  watch(service: string, log: Log, metrics: Metrics): () => void {
    const holds = metrics.counter(
      'event_loop_holds_total',
      `Times that a request held the event loop over ${MAX_HOLD_MS} ms.`,
      ['operation'],
    );
    const reporter = { service, log, count: (operation: string) => holds.inc({ operation }) };
    this.reporters.add(reporter);
    this.begin();
    return () => {
      this.reporters.delete(reporter);
      if (this.reporters.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  enter(context: RequestContext): void {
    this.running.add(context);
    this.mark(context);
  }

  leave(context: RequestContext): void {
    this.running.delete(context);
    this.mark(undefined);
  }

  private begin(): void {
    if (this.timer) return;
    this.markedAt = performance.now();
    this.tickedAtCpu = cpuMs();
    onLoopMark(() => this.mark(requestContext()));
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  private tick(): void {
    this.mark(undefined);
    this.tickedAtCpu = cpuMs();
  }

  private mark(next: RequestContext | undefined): void {
    const now = performance.now();
    const passed = now - this.markedAt;
    const before = this.owner;
    this.markedAt = now;
    this.owner = next;
    if (passed < MAX_HOLD_MS || !this.timer) return;
    const ms = Math.min(passed, cpuMs() - this.tickedAtCpu);
    if (ms >= MAX_HOLD_MS) this.report(before, Math.round(ms));
  }

  private report(owner: RequestContext | undefined, ms: number): void {
    const operation = owner?.operation?.name;
    ((globalThis as Record<symbol, unknown>)[HOLDS] as Hold[] | undefined)?.push({ operation, ms });
    const [first] = this.reporters;
    const reporter = [...this.reporters].find(({ service }) => service === owner?.operation?.service) ?? first;
    if (!reporter) return;
    reporter.count(operation ?? 'unknown');
    const running = [...this.running].slice(0, MAX_NAMED).map((context) => context.operation?.name);
    reporter.log.warn(
      { ...(operation ? { operation } : { running }), durationMs: ms, requestId: owner?.requestId },
      'the event loop was held',
    );
  }
}

/** One per process: all services of a process share its event loop. */
export const loopGuard = new LoopGuard();
