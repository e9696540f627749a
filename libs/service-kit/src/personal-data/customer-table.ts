import type { TenantTx } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';

/** How long a law wants something kept. */
export interface Term {
  /** The law, for the report: `§ 147 AO`. */
  readonly law: string;
  /** Counted from the end of the year in which it came into being. */
  readonly years: number;
}

/** What an anonymization leaves, because a law asks for it. */
export interface LegalTerm extends Term {
  /** Column, or SQL over the row `t`, with the time at which it came into being. */
  readonly from: string;
  /**
   * What happens when the term is over: the rows are deleted (absent), or some columns get new values (SQL), or they have gone
   * `together` with the row of another table that they belong to.
   */
  readonly then?: 'together' | { readonly set: Readonly<Record<string, string>> };
  /** Tables whose rows go in the same transaction, before: by their column that names this one's key. */
  readonly together?: readonly { readonly table: string; readonly column: string }[];
}

/**
 * What an anonymization does with a customer's rows: it deletes them, or gives some columns new values (SQL), or keeps them for a term.
 * `nothing`: they name the customer by its id alone, and say nothing about a person.
 */
export type Erasure = 'delete' | 'nothing' | { readonly set: Readonly<Record<string, string>> } | LegalTerm;

/** A table with rows of customers: every one that has a column `customer_id` is stated, and others that hold data of theirs. */
export interface CustomerTable {
  readonly table: string;
  readonly erasure: Erasure;
  /** The customer's rows, as SQL over the row `t`; `$1` is the tenant, `$2` the customer. Absent: those with its `customer_id`. */
  readonly of?: string;
  /** Of these rows, those that an anonymization handles; the others are looked at by a later entry of the same table. */
  readonly where?: string;
  /** Column by which rows are deleted or changed; `id` when absent. */
  readonly key?: string;
  /** True where all tenants' rows lie together: found by `of` alone. */
  readonly shared?: true;
  /** Columns that no export shows: digests and secrets. */
  readonly secret?: readonly string[];
  /** Columns with the key of a stored file and with its name: exports contain the file. The table has an `id`. */
  readonly files?: { readonly key: string; readonly name: string };
  /** Removes files that belong to deleted rows, by their keys, before the deletion is committed; doing it again does no harm. */
  readonly removeFiles?: (keys: readonly string[], config: ServiceConfig) => Promise<void>;
  /** What follows, in the transaction that deletes or changes rows, from their keys: others may hold something for them. */
  readonly whenErased?: (tx: TenantTx, keys: readonly string[]) => Promise<void>;
}

/** What prevents an anonymization. */
export interface Obstacle {
  readonly code: string;
  readonly message: string;
  /** True while it is there: an SQL expression; `$1` is the tenant, `$2` the customer. */
  readonly sql: string;
}

/** What a service knows of customers: its tables in the order in which they are emptied, and what has to end before. */
export interface CustomerData {
  readonly tables: readonly CustomerTable[];
  readonly obstacles?: readonly Obstacle[];
}

export const rowsOf = ({ of = 't.customer_id = $2', shared }: CustomerTable): string =>
  `${shared ? '$1::uuid IS NOT NULL' : 't.tenant_id = $1'} AND (${of})`;

export const isLegalTerm = (erasure: Erasure): erasure is LegalTerm => typeof erasure === 'object' && 'law' in erasure;

/** Invoices and what bookings are based on. */
export const VOUCHERS: Term = { law: '§ 147 (1) no. 4, (3) AO, § 14b UStG', years: 8 };

/** Books and what is needed to understand them. */
export const BOOKS: Term = { law: '§ 147 (1) no. 1, (3) AO, § 257 HGB', years: 10 };

/** Letters and contracts that were sent or received. */
export const BUSINESS_LETTERS: Term = { law: '§ 147 (1) no. 2 and 3, (3) AO, § 257 HGB', years: 6 };

/** SQL that is true when the term of a row is over for the tenant `$1`, on its own clock. */
export const isOver = ({ from, years }: { readonly from: string; readonly years: number }): string =>
  `legal_term_over($1, ${from}, ${years})`;
