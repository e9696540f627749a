import { DomainError, InvariantError } from '@kontor/kernel';
import type { Database } from './database.js';
import { claimIdempotencyKeys, freeIdempotencyKeys, storeProvisionalAnswers } from './idempotency.js';
import { type IdempotencyClaim, requestScope, type RequestScope, unclaimed } from './request-scope.js';
import type { TenantTx } from './tx.js';

/** What became of one part: it has its effect in the transaction, or was refused and has none. */
export type PartResult<R> = PromiseSettledResult<R>;

/**
 * What becomes of each part that is looked at by itself before anything is written, one after the other: a DomainError is that
 * part's refusal.
 */
export async function settledInTurn<P, R>(
  parts: readonly P[],
  work: (part: P) => Promise<R> | R,
): Promise<PartResult<R>[]> {
  const results: PartResult<R>[] = [];
  for (const part of parts) {
    try {
      results.push({ status: 'fulfilled', value: await work(part) });
    } catch (reason) {
      if (!(reason instanceof DomainError)) throw reason;
      results.push({ status: 'rejected', reason });
    }
  }
  return results;
}

interface Waiting<Part, R> {
  readonly part: Part;
  readonly scope: RequestScope;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_PARTS = 500;

/**
 * Requests that would wait for the same lock anyway share a transaction: what arrives on a lane while its last one is on the
 * way to the disk forms the next one. No timer: the first never waits for company. Each is answered after the commit, takes
 * its own Idempotency-Key with its effect, and is refused alone. @see docs/adr/0016-requests-for-one-lock-share-a-transaction.md
 *
 * `work` gets the parts of one lane in the order of their arrival and answers for each; a DomainError that it throws refuses
 * them all. Events and logs name the first request, so a lane is of one caller; a lane that only reads may be of all.
 */
export class SharedTransactions<Part, R> {
  private readonly lanes = new Map<string, Waiting<Part, R>[]>();

  constructor(
    private readonly database: Database,
    private readonly work: (tx: TenantTx, parts: readonly Part[]) => Promise<PartResult<R>[]>,
    private readonly options: { readonly readOnly?: boolean } = {},
  ) {}

  run(tenantId: string, lane: string, part: Part): Promise<R> {
    return new Promise((resolve, reject) => {
      const key = `${tenantId}/${lane}`;
      const waiting = { part, scope: requestScope.getStore() ?? {}, resolve, reject };
      const queue = this.lanes.get(key);
      if (queue) queue.push(waiting);
      else {
        this.lanes.set(key, [waiting]);
        void this.drain(tenantId, key);
      }
    });
  }

  private async drain(tenantId: string, key: string): Promise<void> {
    for (let queue = this.lanes.get(key) ?? []; queue.length > 0; queue = this.lanes.get(key) ?? []) {
      this.lanes.set(key, queue.slice(MAX_PARTS));
      await this.settle(tenantId, queue.slice(0, MAX_PARTS));
      // Whoever was answered may have the next request on its way already: one look at what has arrived, no wait.
      await new Promise(setImmediate);
    }
    this.lanes.delete(key);
  }

  /** Parts that fail together are tried one by one, so that a bad one is nobody else's trouble. */
  private async settle(tenantId: string, members: readonly Waiting<Part, R>[]): Promise<void> {
    try {
      const results = await this.transaction(tenantId, members);
      for (const { scope } of members) if (scope.turn) scope.turn.begun = true;
      answer(members, results);
    } catch (error) {
      if (error instanceof NothingDone) answer(members, error.results as PartResult<R>[]);
      else if (members.length > 1 && isOfOnePart(error))
        for (const member of members) await this.settle(tenantId, [member]);
      else for (const { reject } of members) reject(error);
    }
  }

  private async transaction(tenantId: string, members: readonly Waiting<Part, R>[]): Promise<PartResult<R>[]> {
    const claims = members.map(({ scope }) => (this.options.readOnly ? undefined : unclaimed(scope)));
    const work = async (tx: TenantTx): Promise<PartResult<R>[]> => {
      const results = await this.claimed(tx, members, claims);
      if (results.every(({ status }) => status === 'rejected')) throw new NothingDone(results);
      return results;
    };
    try {
      // The keys are taken by the work, for all members; the transaction itself must not take the first one's.
      return await requestScope.run({ ...members[0]?.scope, idempotency: undefined }, () =>
        this.database.tenant(tenantId, work, this.options),
      );
    } catch (error) {
      for (const claim of claims) if (claim) claim.claimed = false;
      throw error;
    }
  }

  private async claimed(
    tx: TenantTx,
    members: readonly Waiting<Part, R>[],
    claims: readonly (IdempotencyClaim | undefined)[],
  ): Promise<PartResult<R>[]> {
    const refusals = await claimIdempotencyKeys(tx, claims);
    const free = members.map((_, i) => i).filter((i) => !refusals.has(i));
    for (const i of free) if (claims[i]) claims[i].claimed = true;
    const worked =
      free.length > 0
        ? await this.work(
            tx,
            free.map((i) => (members[i] as Waiting<Part, R>).part),
          )
        : [];
    const results = members.map((_, i): PartResult<R> => ({ status: 'rejected', reason: refusals.get(i) }));
    free.forEach((i, n) => (results[i] = worked[n] as PartResult<R>));
    const answered = free.flatMap((i) => {
      const [claim, result] = [claims[i], results[i] as PartResult<R>];
      return claim && result.status === 'fulfilled' ? [{ claim, answer: result.value }] : [];
    });
    const freed = free.flatMap((i) => (claims[i] && results[i]?.status === 'rejected' ? [claims[i]] : []));
    await storeProvisionalAnswers(tx, answered);
    await freeIdempotencyKeys(tx, freed);
    for (const claim of freed) claim.claimed = false;
    return results;
  }
}

/** Rolls back: all were refused. */
class NothingDone extends Error {
  constructor(readonly results: readonly PartResult<unknown>[]) {
    super('all were refused');
  }
}

function answer<R>(members: readonly Waiting<unknown, R>[], results: readonly PartResult<R>[]): void {
  members.forEach(({ resolve, reject }, i) => {
    const result = results[i] as PartResult<R>;
    if (result.status === 'fulfilled') resolve(result.value);
    else reject(result.reason);
  });
}

/**
 * The database or the code refused what one of them brought, its event, or a copy that it needs and whose owner does not answer; after anything else
 * (a lost connection) nobody knows more alone.
 */
const isOfOnePart = (error: unknown): boolean =>
  error instanceof InvariantError ||
  (error instanceof DomainError && error.reason === 'event_too_large') ||
  (error as Error | null)?.name === 'ServiceUnavailable' ||
  (!(error instanceof DomainError) && /^(22|23|P0)/.test(String((error as { code?: unknown } | null)?.code ?? '')));
