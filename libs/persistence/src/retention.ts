import { ulidAt, uuidAt } from '@kontor/kernel';
import type { Database } from './database.js';

/** Rows of a tenant table that are forgotten some time after they came, or after what happened to them. */
export interface RetentionRule {
  readonly table: string;
  /** ULIDs or UUIDv7, which are in order of arrival. `foreign`: UUIDs that others choose, so that `where` alone says what is old. */
  readonly ids: 'ulid' | 'uuid' | 'foreign';
  /** Rows that came more days ago, in real time, are deleted; null keeps them. */
  readonly days: number | null;
  /** A column of the row `t` with an instant of real time from which its days count; from when it came where there is none. */
  readonly since?: string;
  /** Only these, as SQL over the row `t`. `$1` is the tenant. */
  readonly where?: string;
  /** What is deleted with them, as SQL over the deleted rows' `gone (id)`. `$1` is the tenant. */
  readonly with?: string;
}

export interface ForgetOptions {
  /** The database's time where it is left out: this machine's clock may be wrong. */
  readonly now?: Date;
  readonly signal?: AbortSignal;
  /** Rows in one transaction. */
  readonly portion?: number;
}

const PORTION = 2_000;
const DAY_MS = 86_400_000;

/**
 * Deletes what a rule no longer keeps of a tenant, in portions, each a short transaction that walks the primary key from where
 * the last one ended. Returns how many rows there were.
 */
export async function forgetOld(
  database: Database,
  tenantId: string,
  rule: RetentionRule,
  { now, signal, portion = PORTION }: ForgetOptions = {},
): Promise<number> {
  if (rule.days === null) return 0;
  const present = now ?? (await database.askTime());
  const until = new Date(present.getTime() - rule.days * DAY_MS);
  const idAt = rule.ids === 'ulid' ? ulidAt : uuidAt;
  const before = rule.ids === 'foreign' ? LAST_UUID : idAt(until);
  let after = idAt(new Date(0));
  let forgotten = 0;
  while (!signal?.aborted) {
    const ids = await database.tenant(tenantId, async (tx) => {
      const parameters = [tenantId, after, before, portion, ...(rule.since === undefined ? [] : [until])];
      const rows = await tx.query<{ id: string }>(portionSql(rule), parameters);
      return rows.map(({ id }) => id);
    });
    forgotten += ids.length;
    if (ids.length < portion) break;
    after = ids.reduce((highest, id) => (id > highest ? id : highest));
  }
  return forgotten;
}

const TYPES = { ulid: 'text', uuid: 'uuid', foreign: 'uuid' };
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const portionSql = ({ table, ids, since, where = 'true', with: alsoDeleted }: RetentionRule): string => `
  WITH gone AS (
    DELETE FROM ${table}
    WHERE tenant_id = $1 AND id = ANY(ARRAY(
      SELECT t.id FROM ${table} t
      WHERE t.tenant_id = $1 AND t.id > $2::${TYPES[ids]} AND t.id < $3::${TYPES[ids]} AND (${where})
        ${since === undefined ? '' : `AND coalesce(${since}, '-infinity') < $5`}
      ORDER BY t.id LIMIT $4))
    RETURNING id)${alsoDeleted ? `, others AS (${alsoDeleted})` : ''}
  SELECT id::text FROM gone`;
