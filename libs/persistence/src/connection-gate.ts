import { DomainError } from '@kontor/kernel';
import type { RequestTurn } from './request-scope.js';

/** How long after its arrival a request may still wait for its first connection; then it is refused. */
const REQUEST_PATIENCE_MS = 3000;
/** What a request gets in any case that was long on its way before it needed one, such as an upload. */
const LEAST_PATIENCE_MS = 1000;
/** For background work, and for requests that have begun: nobody but a fault keeps them waiting so long. */
const LONG_PATIENCE_MS = 10_000;
/** An import that runs for minutes takes its turns among the others. */
const PRIORITY_MS = 10_000;

interface Waiter {
  readonly isWork: boolean;
  readonly enter: () => void;
}

/**
 * Whose turn it is for one of the pool's connections. A request that has begun goes before those that have not, so that under
 * a burst what was begun is finished, and what cannot be begun in time is refused before anything has happened. Those that
 * have not begun go by tenants in turn, so that one that asks for much keeps none of the others waiting. So does background work, apart from
 * its tenant's requests, and it never has all connections: it is in no hurry, and each of its transactions takes long.
 */
export class ConnectionGate {
  private readonly begun: Waiter[] = [];
  /** By tenant, requests and work apart; the one whose turn is next comes first. */
  private readonly fresh = new Map<string, Waiter[]>();
  private readonly maxWorking: number;
  private working = 0;

  constructor(private free: number) {
    this.maxWorking = Math.max(1, free - 1);
  }

  /**
   * Resolves when a connection may be taken, to what gives the place to the next. `tenantId`: for whom, where it is not the request's.
   * @throws DomainError 503 `service_overloaded`: nothing of the request has been done; Error: a fault, as of a pool that is stuck.
   */
  async enter(turn: RequestTurn | undefined, tenantId = turn?.tenantId ?? ''): Promise<() => void> {
    const began = performance.now();
    const isWork = turn === undefined;
    try {
      if (this.free > 0 && this.mayEnter(isWork)) this.take(isWork);
      else await this.wait(turn, tenantId);
    } finally {
      if (turn) turn.waitedMs ??= performance.now() - began;
    }
    if (turn) turn.begun = true;
    return () => this.leave(isWork);
  }

  private mayEnter(isWork: boolean): boolean {
    return !isWork || this.working < this.maxWorking;
  }

  private take(isWork: boolean): void {
    this.free--;
    if (isWork) this.working++;
  }

  private leave(isWork: boolean): void {
    this.free++;
    if (isWork) this.working--;
    const next = this.begun.shift() ?? this.nextFresh();
    if (!next) return;
    this.take(next.isWork);
    next.enter();
  }

  private nextFresh(): Waiter | undefined {
    for (const [owner, queue] of this.fresh) {
      if (queue[0] && !this.mayEnter(queue[0].isWork)) continue;
      const next = queue.shift();
      this.fresh.delete(owner);
      if (queue.length > 0) this.fresh.set(owner, queue);
      if (next) return next;
    }
    return undefined;
  }

  private freshOf(owner: string): Waiter[] {
    const queue = this.fresh.get(owner) ?? [];
    this.fresh.set(owner, queue);
    return queue;
  }

  private wait(turn: RequestTurn | undefined, tenantId: string): Promise<void> {
    const isPrior = turn?.begun && performance.now() - turn.arrivedAt < PRIORITY_MS;
    const owner = turn ? tenantId : `work of ${tenantId}`;
    const queue = isPrior ? this.begun : this.freshOf(owner);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        isWork: turn === undefined,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiter), 1);
        if (queue.length === 0 && this.fresh.get(owner) === queue) this.fresh.delete(owner);
        reject(refusal(turn));
      };
      const timer = setTimeout(giveUp, patienceOf(turn));
      queue.push(waiter);
    });
  }
}

function patienceOf(turn: RequestTurn | undefined): number {
  if (!turn || turn.begun) return LONG_PATIENCE_MS;
  return Math.max(LEAST_PATIENCE_MS, turn.arrivedAt + REQUEST_PATIENCE_MS - performance.now());
}

const refusal = (turn: RequestTurn | undefined): Error =>
  !turn || turn.begun
    ? new Error('timeout exceeded when trying to connect: every connection of the pool is busy')
    : new DomainError('service_overloaded', {
        kind: 'unavailable',
        detail: 'There are too many requests at the moment; nothing has been done. Try again.',
        retryAfterSeconds: 1,
      });
