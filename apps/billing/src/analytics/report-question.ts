import type { Day } from '@kontor/kernel';
import { DomainError } from '@kontor/kernel';

/** What figures are divided by, beside the currency. */
export const GROUPS = { plan: 'p.code', country: 'c.country_code' } as const;
export type ReportGroup = keyof typeof GROUPS;

export interface ReportQuestion {
  /** First days of the months that are asked for, and of the one after the last. */
  readonly starts: readonly Day[];
  readonly groupBy: ReportGroup | null;
  readonly currencyCode: string | null;
}

/** Rows that a report is made of; a tenant with more is asked for fewer months, or not to divide them. */
export const MAX_ROWS = 50_000;

/** @throws DomainError `too_many_groups` */
export function refuseTooMany(rows: readonly unknown[]): void {
  if (rows.length > MAX_ROWS)
    throw new DomainError('too_many_groups', { detail: 'There are too many groups; ask for fewer months or groups.' });
}

/** Rows that were read in the order of their currencies and groups, by both. */
export function byCurrencyAndGroup<R extends { readonly currencyCode: string; readonly group: string | null }>(
  rows: readonly R[],
): [Pick<R, 'currencyCode' | 'group'>, R[]][] {
  const groups = Map.groupBy(rows, ({ currencyCode, group }) => JSON.stringify([currencyCode, group]));
  return [...groups.values()].map((some) => [some[0]!, some]);
}

interface Entry {
  readonly month: string;
  readonly currencyCode: string;
  readonly group: string | null;
}

export const inOrder = (a: Entry, b: Entry): number =>
  a.month.localeCompare(b.month) ||
  a.currencyCode.localeCompare(b.currencyCode) ||
  (a.group ?? '').localeCompare(b.group ?? '');
