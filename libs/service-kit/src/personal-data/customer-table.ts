import type { ServiceConfig } from '../config/service-config.js';

/** What an anonymization leaves, because a law asks for it. */
export interface LegalTerm {
  /** The law, for the report: `§ 147 AO`. */
  readonly law: string;
  /** Counted from the end of the year in which it came into being. */
  readonly years: number;
  /** Column, or SQL over the row `t`, with the time at which it came into being. */
  readonly from: string;
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

/** Invoices, bookings and what they are based on: § 147 (1) and (3) AO, § 14b UStG; the longest of the terms for all of them. */
export const TAX_RECORDS = { law: '§ 147 AO, § 14b UStG', years: 10 } as const;

/** Letters and contracts that were sent or received: § 147 (1) no. 2 and 3, (3) AO; § 257 HGB. */
export const BUSINESS_LETTERS = { law: '§ 147 AO, § 257 HGB', years: 6 } as const;
