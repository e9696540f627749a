import { Injectable } from '@nestjs/common';
import { Database, requestScope, type TenantTx } from '@kontor/persistence';
import { FindCustomers, type LookUpOptions } from '../customers/find-customers.js';
import type { IngestRequest } from './ingest-request.js';
import { type PreparedRequest, TenantState, type TenantVersions, uuidBytes } from './tenant-state.js';

const MAX_TENANTS = 2_000;
/** References kept over all tenants; beyond that the longest unused tenants are forgotten. */
const MAX_CUSTOMERS = 100_000;

interface VersionsRow {
  customers: bigint;
  metrics: bigint;
  clock: string | null;
}

/**
 * Tenants' clocks and customers, kept by this process as long as `usage_guard` finds their versions unchanged:
 * ingestion asks the database about them once, not once per request.
 */
@Injectable()
export class TenantStates {
  /** In order of use, the longest unused first. */
  private readonly states = new Map<string, TenantState>();
  private customers = 0;

  constructor(
    private readonly database: Database,
    private readonly findCustomers: FindCustomers,
  ) {}

  /**
   * Without a query when everything is known; otherwise the tenant or the new customers are looked up.
   * @throws ServiceUnavailable while a customer's owner is unavailable and must answer.
   */
  prepare(request: IngestRequest, options: LookUpOptions = {}): PreparedRequest | Promise<PreparedRequest> {
    const state = this.states.get(request.tenantId);
    if (!state) return this.load(request, options);
    this.states.delete(request.tenantId);
    this.states.set(request.tenantId, state);
    const missing = missingIn(state, request);
    return missing.size === 0 ? { request, state, unknown: missing } : this.lookUp(request, state, missing, options);
  }

  /**
   * After the guard refused a batch: the next `prepare` reads the tenant anew, customers too where theirs was the
   * version that changed.
   */
  outdated(state: TenantState): void {
    if (this.states.get(state.tenantId) === state) this.forget(state);
  }

  private async load(request: IngestRequest, options: LookUpOptions): Promise<PreparedRequest> {
    const versions = await this.inOwnTransaction(request.tenantId, readVersions);
    const state = new TenantState(request.tenantId, versions, new Map());
    const known = this.states.get(request.tenantId);
    if (known) this.forget(known);
    this.states.set(request.tenantId, state);
    this.makeRoom();
    const missing = missingIn(state, request);
    return missing.size === 0 ? { request, state, unknown: missing } : this.lookUp(request, state, missing, options);
  }

  /** What is not found is not kept: a moment later it may be there. */
  private async lookUp(
    request: IngestRequest,
    state: TenantState,
    missing: Set<string>,
    options: LookUpOptions,
  ): Promise<PreparedRequest> {
    const { found, anonymized } = await this.inOwnTransaction(request.tenantId, async (tx) => {
      const found = await this.findCustomers.execute(tx, missing, options);
      return { found, anonymized: await this.findCustomers.anonymized(tx, found.values()) };
    });
    const kept = this.states.get(request.tenantId) === state;
    for (const [reference, id] of found) {
      if (kept && !state.customers.has(reference)) this.customers++;
      state.customers.set(reference, { id, bytes: uuidBytes(id), isAnonymized: anonymized.has(id) });
      missing.delete(reference);
    }
    this.makeRoom();
    return { request, state, unknown: missing };
  }

  /** Not the transaction with which a request's Idempotency-Key commits. */
  private inOwnTransaction<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    const { turn, ...scope } = requestScope.getStore() ?? {};
    // In order of arrival, whether it has begun or not: what arrives together is looked up, and then stored, together.
    const apart = { ...scope, idempotency: undefined, ...(turn && { turn: { ...turn, begun: false } }) };
    return requestScope.run(apart, () => this.database.tenant(tenantId, work));
  }

  private makeRoom(): void {
    for (const state of this.states.values()) {
      if (this.states.size <= MAX_TENANTS && this.customers <= MAX_CUSTOMERS) return;
      this.forget(state);
    }
  }

  private forget(state: TenantState): void {
    this.states.delete(state.tenantId);
    this.customers -= state.customers.size;
  }
}

function missingIn(state: TenantState, request: IngestRequest): Set<string> {
  const missing = new Set<string>();
  for (const { customerReference } of request.events)
    if (!state.customers.has(customerReference)) missing.add(customerReference);
  return missing;
}

/** Read before the customers are, so that what changes in between shows. */
async function readVersions(tx: TenantTx): Promise<TenantVersions> {
  const [row] = await tx.query<VersionsRow>(
    `SELECT customers, metrics, to_char(clock AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS clock
     FROM usage_versions($1)`,
    [tx.tenantId],
  );
  return row!;
}
