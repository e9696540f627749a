import { AsyncLocalStorage } from 'node:async_hooks';

/** The Idempotency-Key of the request being handled. `claimed` turns true inside the first transaction that takes it. */
export interface IdempotencyClaim {
  readonly tenantId: string;
  readonly key: string;
  /** `POST /customers`: a key counts per tenant and operation. */
  readonly operation: string;
  /** Who asks, such as an API key: another one never gets this one's answer. */
  readonly principal: string;
  /** Digest of the body, so that another body under the same key is refused. */
  readonly bodyHash: string;
  /** Digest of a body that only the handler reads, once it has read it. */
  content?: string;
  /** The process that works on it, as `Presence` names it. */
  readonly process: string;
  claimed: boolean;
  /** Encrypts what is stored of the answer: it may hold a secret that is shown once. Absent: stored as it is. */
  readonly seal?: (text: string) => string;
  /** Fields of the answer that are never stored, sealed or not: secrets that are shown once. */
  readonly shownOnce?: readonly string[];
}

/** A request that somebody waits for, in the queue for connections. */
export interface RequestTurn {
  /** In milliseconds of `performance.now()`: no wait changes with the clock. */
  readonly arrivedAt: number;
  /** Whose it is, once that is known. */
  tenantId?: string;
  /** True once it has had its first connection. */
  begun: boolean;
  /** How long it waited for that one, or in vain; undefined while it has needed none. */
  waitedMs?: number;
}

/** What a request carries through every call below it. service-kit fills it; persistence reads only what is named here. */
export interface RequestScope {
  idempotency?: IdempotencyClaim;
  /** Absent for background work. */
  turn?: RequestTurn;
  [key: string]: unknown;
}

export const requestScope = new AsyncLocalStorage<RequestScope>();

/** The request's key, where no transaction has taken it yet; whoever's rows are written: the operator's requests have their effect in other tenants. */
export const unclaimed = (scope: RequestScope | undefined): IdempotencyClaim | undefined =>
  scope?.idempotency?.claimed === false ? scope.idempotency : undefined;
