import { createHash } from 'node:crypto';
import { DomainError, type Sql } from '@kontor/kernel';
import type { IdempotencyClaim } from './request-scope.js';

const SEALED = '$sealed';

/** A key that was used: still running while `final` is false, replayable once it is true. */
export interface IdempotencyRecord {
  readonly bodyHash: string;
  readonly principal: string;
  /** HTTP status of the first 2xx answer; null until it was sent. */
  readonly status: number | null;
  /** The answer's body (see `openAnswer`); before `final`, what the first transaction's work returned. */
  readonly answer: unknown;
  readonly final: boolean;
  /** Whether the process runs that works on it, or has answered. */
  readonly held: boolean;
  readonly ageSeconds: number;
}

const lockKey = (claim: IdempotencyClaim): string =>
  createHash('sha256')
    .update(`${claim.tenantId}\n${claim.operation}\n${claim.key}`)
    .digest()
    .readBigInt64BE(0)
    .toString();

/**
 * Takes the key inside the transaction that has the effect, so both commit or neither. Never waits for another holder.
 * @throws DomainError 409 `request_in_progress` while another request holds it, or has just used it.
 */
export async function claimIdempotencyKey(sql: Sql, claim: IdempotencyClaim): Promise<void> {
  const taken = await sql.query(
    `INSERT INTO idempotency (tenant_id, operation, key, body_hash, principal, process)
     SELECT $1, $2, $3, $4, $5, $7 WHERE pg_try_advisory_xact_lock($6)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [claim.tenantId, claim.operation, claim.key, claim.bodyHash, claim.principal, lockKey(claim), claim.process],
  );
  if (taken.length === 0) throw inProgress();
}

const inProgress = (): DomainError =>
  new DomainError('request_in_progress', {
    kind: 'conflict',
    detail: 'A request with this Idempotency-Key is being handled.',
    retryAfterSeconds: 1,
  });

/** {@link claimIdempotencyKey} for several requests by one statement: the refusals, by place. Of equal keys the first wins. */
export async function claimIdempotencyKeys(
  sql: Sql,
  claims: readonly (IdempotencyClaim | undefined)[],
): Promise<ReadonlyMap<number, DomainError>> {
  const refusals = new Map<number, DomainError>();
  const first = new Map<string, number>();
  claims.forEach((claim, i) => {
    if (!claim) return;
    if (first.has(lockKey(claim))) refusals.set(i, inProgress());
    else first.set(lockKey(claim), i);
  });
  if (first.size === 0) return refusals;
  const wanted = [...first.values()].map((i) => claims[i] as IdempotencyClaim);
  const taken = await sql.query<{ lock: bigint }>(
    `WITH wanted AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::uuid[])
         AS w (tenant_id, operation, key, body_hash, principal, lock, process)
       WHERE pg_try_advisory_xact_lock(w.lock)
     ), taken AS (
       INSERT INTO idempotency (tenant_id, operation, key, body_hash, principal, process)
       SELECT tenant_id, operation, key, body_hash, principal, process FROM wanted
       ON CONFLICT DO NOTHING RETURNING tenant_id, operation, key
     ) SELECT w.lock FROM wanted w JOIN taken USING (tenant_id, operation, key)`,
    [
      ...keyColumns(wanted),
      wanted.map((claim) => claim.bodyHash),
      wanted.map((claim) => claim.principal),
      [...first.keys()],
      wanted.map((claim) => claim.process),
    ],
  );
  const locks = new Set(taken.map((row) => row.lock.toString()));
  for (const [lock, i] of first) if (!locks.has(lock)) refusals.set(i, inProgress());
  return refusals;
}

const keyColumns = (claims: readonly IdempotencyClaim[]): string[][] => [
  claims.map((claim) => claim.tenantId),
  claims.map((claim) => claim.operation),
  claims.map((claim) => claim.key),
];

/** Keeps what the transaction's work returned, so that a crash before the answer was sent loses nothing. */
export async function storeProvisionalAnswer(sql: Sql, claim: IdempotencyClaim, answer: unknown): Promise<void> {
  await sql.query('UPDATE idempotency SET answer = $4 WHERE tenant_id = $1 AND operation = $2 AND key = $3', [
    claim.tenantId,
    claim.operation,
    claim.key,
    toJson(answer, claim),
  ]);
}

/** {@link storeProvisionalAnswer} for several requests by one statement. */
export async function storeProvisionalAnswers(
  sql: Sql,
  answers: readonly { readonly claim: IdempotencyClaim; readonly answer: unknown }[],
): Promise<void> {
  if (answers.length === 0) return;
  await sql.query(
    `UPDATE idempotency i SET answer = a.answer
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[]) AS a (tenant_id, operation, key, answer)
     WHERE i.tenant_id = a.tenant_id AND i.operation = a.operation AND i.key = a.key`,
    [...keyColumns(answers.map(({ claim }) => claim)), answers.map(({ claim, answer }) => toJson(answer, claim))],
  );
}

/** Frees keys that this transaction took, of requests that it refused. */
export async function freeIdempotencyKeys(sql: Sql, claims: readonly IdempotencyClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await sql.query(
    `DELETE FROM idempotency i USING unnest($1::uuid[], $2::text[], $3::text[]) AS f (tenant_id, operation, key)
     WHERE i.tenant_id = f.tenant_id AND i.operation = f.operation AND i.key = f.key`,
    keyColumns(claims),
  );
}

function toJson(value: unknown, { seal, shownOnce }: Pick<IdempotencyClaim, 'seal' | 'shownOnce'>): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value, (name, item: unknown) => {
    if (shownOnce?.includes(name)) return undefined;
    return typeof item === 'bigint' ? item.toString() : item;
  });
  if (text === undefined) return null;
  return seal ? JSON.stringify({ [SEALED]: seal(text) }) : text;
}

/** The stored answer, decrypted where it was sealed. */
export function openAnswer(answer: unknown, open: (sealed: string) => string): unknown {
  const sealed = (answer as Record<string, unknown> | null)?.[SEALED];
  return typeof sealed === 'string' ? (JSON.parse(open(sealed)) as unknown) : answer;
}

type Key = Pick<IdempotencyClaim, 'tenantId' | 'operation' | 'key'>;

export async function findIdempotencyRecord(
  sql: Sql,
  key: Key & Pick<IdempotencyClaim, 'process'>,
): Promise<IdempotencyRecord | null> {
  const rows = await sql.query<IdempotencyRecord>(
    `SELECT body_hash AS "bodyHash", principal, status, answer, final, 
       coalesce(process = $4 OR process_runs(process), false) AS held,
       extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"
     FROM idempotency WHERE tenant_id = $1 AND operation = $2 AND key = $3`,
    [key.tenantId, key.operation, key.key, key.process],
  );
  return rows[0] ?? null;
}

/** Stores the answer that was sent. Makes the row when the request had no transaction of its own. */
export async function finishIdempotencyRecord(
  sql: Sql,
  key: Key & Pick<IdempotencyClaim, 'bodyHash' | 'principal' | 'seal' | 'shownOnce'>,
  status: number,
  answer: unknown,
): Promise<void> {
  await sql.query(
    `INSERT INTO idempotency (tenant_id, operation, key, body_hash, principal, status, answer, final)
     VALUES ($1, $2, $3, $4, $5, $6, $7, true)
     ON CONFLICT (tenant_id, operation, key) DO UPDATE
       SET body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, final = true
     WHERE NOT idempotency.final AND idempotency.principal = excluded.principal`,
    [key.tenantId, key.operation, key.key, key.bodyHash, key.principal, status, toJson(answer, key)],
  );
}

/** Frees the key of a refused request whose first transaction had committed. */
export async function releaseIdempotencyRecord(sql: Sql, key: Key): Promise<void> {
  await sql.query('DELETE FROM idempotency WHERE tenant_id = $1 AND operation = $2 AND key = $3 AND NOT final', [
    key.tenantId,
    key.operation,
    key.key,
  ]);
}

const PORTION = 2_000;

/** Forgets keys that were used more than `days` ago, in portions, oldest first; returns how many. */
export async function purgeIdempotencyRecords(
  database: { system<T>(work: (sql: Sql) => Promise<T>): Promise<T> },
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  for (let forgotten = 0; ;) {
    const rows = await database.system((sql) =>
      sql.query(
        `DELETE FROM idempotency
         WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM idempotency
           WHERE created_at < now() - make_interval(days => $1)
           ORDER BY created_at LIMIT $2))
         RETURNING 1`,
        [days, PORTION],
      ),
    );
    forgotten += rows.length;
    if (rows.length < PORTION || signal?.aborted) return forgotten;
  }
}
