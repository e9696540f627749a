import { DomainError } from '@kontor/kernel';

/** A burst waits so long at most. */
const PATIENCE_MS = 5_000;
/** So long everybody waits where it is no burst. */
const SHORT_PATIENCE_MS = 100;

interface Limits {
  readonly running: number;
  /** Of each owner. */
  readonly waiting: number;
  /** How many of one owner run at most; all of them unless given. */
  readonly ofOwner?: number;
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

  private readonly maxRunning: number;
  private readonly maxWaiting: number;
  private readonly maxOfOwner: number;
  private readonly burstMs: number;
  private readonly now: () => number;

  constructor({
    running,
    waiting,
    ofOwner = running,
    burstMs = Infinity,
    now = performance.now.bind(performance),
  }: Limits) {
    this.maxRunning = running;
    this.maxWaiting = waiting;
    this.maxOfOwner = ofOwner;
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
   * Waits for a place and returns what frees it, to be called once.
   * @throws DomainError 503 `service_overloaded` when too many of this owner wait already, or after waiting too long.
   */
  async enter(owner = ''): Promise<() => void> {
    if (this.hasRoomFor(owner)) this.begin(owner);
    else await this.turn(owner);
    return () => this.leave(owner);
  }

  /** Refuses who has waited too long. */
  refuseLate(): void {
    if (this.burstMs === Infinity) return;
    const now = this.now();
    const patience = now - this.waitingSince > this.burstMs ? SHORT_PATIENCE_MS : PATIENCE_MS;
    for (const [owner, queue] of this.queues) {
      while (queue[0] && now - queue[0].since > patience) {
        queue.shift()!.refuse(overloaded());
        this.refusedAt = now;
      }
      if (queue.length === 0) this.queues.delete(owner);
    }
    if (this.queues.size === 0) this.stopTimer();
  }

  private hasRoomFor(owner: string): boolean {
    return this.running < this.maxRunning && (this.runningOf.get(owner) ?? 0) < this.maxOfOwner;
  }

  private begin(owner: string): void {
    this.running += 1;
    this.runningOf.set(owner, (this.runningOf.get(owner) ?? 0) + 1);
  }

  /** The place goes to one of the next owner that may run more; that owner then waits until all others had their turn. */
  private leave(left: string): void {
    this.running -= 1;
    const others = this.runningOf.get(left)! - 1;
    if (others > 0) this.runningOf.set(left, others);
    else this.runningOf.delete(left);
    this.refuseLate();
    for (const [owner, queue] of this.queues) {
      if (!this.hasRoomFor(owner)) continue;
      this.queues.delete(owner);
      const next = this.takeFrom(queue);
      if (queue.length > 0) this.queues.set(owner, queue);
      else if (this.queues.size === 0) this.stopTimer();
      this.begin(owner);
      next.proceed();
      return;
    }
  }

  /**
   * The oldest; where that has waited for long already, the newest: it can still be answered in time, and the old ones
   * follow when the burst is over.
   */
  private takeFrom(queue: Waiting[]): Waiting {
    return this.now() - queue[0]!.since > SHORT_PATIENCE_MS ? queue.pop()! : queue.shift()!;
  }

  private turn(owner: string): Promise<void> {
    const queue = this.queues.get(owner) ?? [];
    if (queue.length >= this.maxWaiting) throw overloaded();
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

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

const overloaded = (): DomainError =>
  new DomainError('service_overloaded', {
    kind: 'unavailable',
    detail: 'Too many requests at once; try again.',
    retryAfterSeconds: 1,
  });
