import { DomainError } from '@kontor/kernel';

/** A burst waits so long at most. */
const PATIENCE_MS = 5_000;
/** So long everybody waits where it is no burst. */
const SHORT_PATIENCE_MS = 100;

/** One for all: it is given thousands of times a second, and a trace of the stack takes a fifth of what a refusal costs. */
const OVERLOADED = new DomainError('service_overloaded', {
  kind: 'unavailable',
  detail: 'Too many requests at once; try again.',
  retryAfterSeconds: 1,
});

interface Limits {
  /** It may change meanwhile. */
  readonly running: number | { readonly current: number };
  /** Of each owner. */
  readonly waiting: number;
  /** Of all owners: when there are more, who has the most waiting makes room. Absent: not limited. */
  readonly waitingInAll?: number;
  /** What part of those that run one owner has at most; all of them unless given. */
  readonly ownersShare?: number;
  /** Who has no more than these under way, running or waiting and divided by those who wait, is not refused for a short wait. */
  readonly modest?: number;
  /** Where somebody has always been waiting for so long it is no burst. Absent: whoever waits is never refused. */
  readonly burstMs?: number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

interface Waiting {
  readonly since: number;
  readonly proceed: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs at most so much of one kind of work at a time and lets a bounded number wait: the owners (tenants) in turn, each with
 * a queue of its own, so that one that asks for much keeps none of the others waiting. The rest is refused, and so is who
 * waits too long, because an answer that comes late is worth less than the room that it takes.
 */
export class Bulkhead {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** Those who wait, by owner; the owner whose turn is next comes first. */
  private readonly queues = new Map<string, Waiting[]>();
  private waitingSince = 0;
  /** When somebody was last refused for waiting too long. */
  private refusedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  private readonly limit: { readonly current: number };
  private readonly maxWaiting: number;
  private readonly maxWaitingInAll: number;
  private readonly ownersShare: number;
  private readonly modest: number;
  private readonly burstMs: number;
  private readonly now: () => number;

  constructor({
    running,
    waiting,
    waitingInAll = Infinity,
    ownersShare = 1,
    modest = 0,
    burstMs = Infinity,
    now = performance.now.bind(performance),
  }: Limits) {
    this.limit = typeof running === 'number' ? { current: running } : running;
    this.maxWaiting = waiting;
    this.maxWaitingInAll = waitingInAll;
    this.ownersShare = ownersShare;
    this.modest = modest;
    this.burstMs = burstMs;
    this.now = now;
  }

  /** @throws DomainError 503 `service_overloaded` when too many wait already, or after waiting too long. */
  async run<T>(work: () => Promise<T>, owner?: string): Promise<T> {
    const leave = await this.enter(owner);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a place and returns what frees it; called again, it does nothing.
   * @throws DomainError 503 `service_overloaded` when too many of this owner wait already, or after waiting too long.
   */
  async enter(owner = ''): Promise<() => void> {
    if (this.hasRoomFor(owner)) this.begin(owner);
    else await this.turn(owner);
    let isFree = false;
    return () => {
      if (!isFree) this.leave(owner);
      isFree = true;
    };
  }

  /** Refuses who has waited too long. */
  refuseLate(): void {
    if (this.burstMs === Infinity) return;
    const now = this.now();
    const { isBurst } = this;
    for (const [owner, queue] of this.queues) {
      while (queue[0] && now - queue[0].since > this.patienceOf(owner, queue, isBurst)) {
        queue.shift()!.refuse(OVERLOADED);
        this.refusedAt = now;
      }
      if (queue.length === 0) this.queues.delete(owner);
    }
    if (this.queues.size === 0) this.stopTimer();
  }

  /** Whether it was not long ago that nobody waited. */
  private get isBurst(): boolean {
    return this.now() - this.waitingSince <= this.burstMs;
  }

  private patienceOf(owner: string, queue: readonly Waiting[], isBurst: boolean): number {
    return isBurst || this.isModest(owner, queue) ? PATIENCE_MS : SHORT_PATIENCE_MS;
  }

  /** A client with a number of connections, each of which waits for its answer, asks for no more than it gets. */
  private isModest(owner: string, queue: readonly Waiting[]): boolean {
    return queue.length + (this.runningOf.get(owner) ?? 0) <= this.modest / this.queues.size;
  }

  private hasRoomFor(owner: string): boolean {
    const { current } = this.limit;
    const running = this.runningOf.get(owner) ?? 0;
    return this.running < current && running < Math.max(1, Math.floor(current * this.ownersShare));
  }

  private begin(owner: string): void {
    this.running += 1;
    this.runningOf.set(owner, (this.runningOf.get(owner) ?? 0) + 1);
  }

  private leave(left: string): void {
    this.running -= 1;
    const others = this.runningOf.get(left)! - 1;
    if (others > 0) this.runningOf.set(left, others);
    else this.runningOf.delete(left);
    this.refuseLate();
    while (this.admitNext());
  }

  /** The place goes to one of the next owner that may run more; that owner then waits until all others had their turn. */
  private admitNext(): boolean {
    for (const [owner, queue] of this.queues) {
      if (!this.hasRoomFor(owner)) continue;
      const next = this.takeFrom(owner, queue);
      this.queues.delete(owner);
      if (queue.length > 0) this.queues.set(owner, queue);
      else if (this.queues.size === 0) this.stopTimer();
      this.begin(owner);
      next.proceed();
      return true;
    }
    return false;
  }

  /**
   * The oldest. Where it is no burst, or that one is late already, because of so many others, the newest: it is answered as if nobody waited, and
   * the old ones follow as soon as there are fewer, or are refused.
   */
  private takeFrom(owner: string, queue: Waiting[]): Waiting {
    if (this.isModest(owner, queue)) return queue.shift()!;
    const isLate = this.now() - queue[0]!.since > SHORT_PATIENCE_MS;
    return isLate || !this.isBurst ? queue.pop()! : queue.shift()!;
  }

  private turn(owner: string): Promise<void> {
    const queue = this.queues.get(owner) ?? [];
    if (queue.length >= this.maxWaiting) throw OVERLOADED;
    if (this.maxWaitingInAll < Infinity) this.makeRoom(queue.length);
    return new Promise((proceed, refuse) => {
      const since = this.now();
      if (this.queues.size === 0) {
        // Where all who waited have just been refused it is no new burst.
        if (since - this.refusedAt > this.burstMs) this.waitingSince = since;
        // Where no place becomes free nobody else looks at the time.
        this.timer = setInterval(() => this.refuseLate(), SHORT_PATIENCE_MS).unref();
      }
      queue.push({ since, proceed, refuse });
      this.queues.set(owner, queue);
    });
  }

  /** @throws DomainError 503 `service_overloaded` when nobody has more waiting than who asks for room. */
  private makeRoom(waiting: number): void {
    const queues = [...this.queues.values()];
    if (queues.reduce((sum, { length }) => sum + length, 0) < this.maxWaitingInAll) return;
    const longest = queues.reduce((found, queue) => (queue.length > found.length ? queue : found));
    if (longest.length <= waiting + 1) throw OVERLOADED;
    longest.pop()!.refuse(OVERLOADED);
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
