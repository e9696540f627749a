import type { TenantTx } from '@kontor/persistence';
import type { Term } from './customer-table.js';

/** Rows of a deleted tenant that a law wants kept. */
export interface KeptTable extends Term {
  readonly table: string;
  /** Column, or SQL over the row `t`, with the time at which it came into being; absent: that of the deletion. */
  readonly from?: string;
  /** Only these, as SQL over the row `t`; the others go at once. */
  readonly where?: string;
  /** Function that deletes the rows where the service itself may not: of the tenant and the most rows; it answers how many there were. */
  readonly through?: string;
  /** It goes with the rows of another table that has `through`. */
  readonly together?: true;
}

/** What a service does when a tenant is deleted: all its tables are emptied but what is stated here. */
export interface TenantData {
  readonly kept: readonly KeptTable[];
  /** Tables in which all tenants' rows lie together, with what finds a tenant's: SQL over the row `t`; `$1` is the tenant. They go first. */
  readonly shared?: readonly { readonly table: string; readonly of: string }[];
  /** Tables that are left to who deletes the tenant, who empties them at the very end. */
  readonly last?: readonly string[];
  /** Tables with stored files that `customerData` does not state: the column with their key. */
  readonly files?: Readonly<Record<string, string>>;
  /** Kinds of due work that go on. */
  readonly work?: readonly string[];
  /** What follows from rows before they go, in a transaction that may come again: others may hold something for them. */
  readonly beforeErased?: (tx: TenantTx) => Promise<void>;
}

/** Where nothing has to stay. */
export const NOTHING_KEPT: TenantData = { kept: [] };
