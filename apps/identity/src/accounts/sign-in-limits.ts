import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';

export const ATTEMPT_SECONDS = 900;
/** Attempts in a window: from one address at one account, at one account from anywhere, and from one address at any. */
const LIMITS = {
  password: { pair: 10, account: 100, address: 100 },
  /** Six digits are guessed sooner than a password. */
  code: { pair: 5, account: 20, address: 100 },
  /** Ways to a company's identity provider: nobody can close it for the whole company. */
  company: { pair: 100, account: 1_000_000, address: 200 },
  /** Reports of a company's identity provider: one for everybody who goes home. */
  company_logout: { pair: 2_000, account: 1_000_000, address: 2_000 },
} as const;
export type AttemptKind = keyof typeof LIMITS;

/**
 * Counts attempts to sign in before they are made, for known and unknown accounts alike, for all processes together. Where somebody else
 * tries an account from elsewhere its owner can go on: only very many attempts close it, for a quarter of an hour.
 */
@Injectable()
export class SignInLimits {
  constructor(private readonly db: Database) {}

  /** @throws DomainError 429 `rate_limited` */
  async take(kind: AttemptKind, account: string, address: string): Promise<void> {
    const subjects = subjectsOf(kind, account, address);
    const rows = await this.db.statement<{ subject: Buffer; attempts: number; seconds: number }>(
      `INSERT INTO person_attempt AS a (subject, attempts, since)
       SELECT s, 1, now() FROM unnest($1::bytea[]) s ORDER BY s
       ON CONFLICT (subject) DO UPDATE SET
         attempts = CASE WHEN a.since < now() - make_interval(secs => $2) THEN 1 ELSE least(a.attempts + 1, 1000000) END,
         since = CASE WHEN a.since < now() - make_interval(secs => $2) THEN now() ELSE a.since END
       RETURNING subject, attempts, ceil(extract(epoch FROM since - now()) + $2)::int AS seconds`,
      [subjects.map(({ digest }) => digest), ATTEMPT_SECONDS],
    );
    const over = rows.filter(({ subject, attempts }) => {
      const limit = subjects.find(({ digest }) => digest.equals(subject))!.limit;
      return attempts > limit;
    });
    if (over.length === 0) return;
    throw new DomainError('rate_limited', {
      kind: 'too_many',
      detail: 'Too many attempts to sign in; try again later.',
      retryAfterSeconds: Math.max(1, ...over.map(({ seconds }) => seconds)),
    });
  }

  /** It was the right person: the attempts at this account were none. */
  async clear(kind: AttemptKind, account: string, address: string): Promise<void> {
    const [pair, whole] = subjectsOf(kind, account, address);
    await this.db.statement('DELETE FROM person_attempt WHERE subject = ANY($1::bytea[])', [
      [pair!.digest, whole!.digest],
    ]);
  }
}

function subjectsOf(kind: AttemptKind, account: string, address: string) {
  const limits = LIMITS[kind];
  const whose = account.trim().toLowerCase();
  return [
    { digest: digestOf(`${kind} pair ${whose} ${address}`), limit: limits.pair },
    { digest: digestOf(`${kind} account ${whose}`), limit: limits.account },
    { digest: digestOf(`${kind} address ${address}`), limit: limits.address },
  ];
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
