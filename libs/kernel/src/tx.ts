import type { TenantId } from './branded-ids.js';

/**
 * An open transaction of one tenant: row-level security is set to `tenantId`, and everything in it commits or
 * rolls back together. Use cases take it as their first parameter.
 */
export interface Tx {
  readonly tenantId: TenantId;
  /** The tenant's time in milliseconds: the sandbox clock's, the event's `effectiveAt` in a consumer, else the system's. */
  readonly now: Date;
  /** Runs one SQL statement with `$1`-parameters and returns its rows. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** A connection without a tenant: infrastructure tables only (they carry no row-level security). */
export interface Sql {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}
