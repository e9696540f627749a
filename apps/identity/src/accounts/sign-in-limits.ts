import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { networkOf } from '@kontor/service-kit';

export const ATTEMPT_SECONDS = 900;
/** Attempts in a window: from one address at one account, at one account from anywhere, and from one address at any. */
const LIMITS = {
  password: { pair: 10, account: 100, address: 100 },
  /** Six digits are guessed sooner than a password. */
  code: { pair: 5, account: 20, address: 100 },
  /** Links that are mailed to a customer's address: whoever else asks for them does not use up the customer's own. */
  login_link: { pair: 20, account: 100, address: 1_000_000 },
  /** Mails to another address, which may be anybody's. */
  new_address: { pair: 5, account: 5, address: 100 },
  /** Ways to a company's identity provider: nobody can close it for the whole company. */
  company: { pair: 100, account: 1_000_000, address: 200 },
  /** Reports of a company's identity provider: one for everybody who goes home. */
  company_logout: { pair: 2_000, account: 1_000_000, address: 2_000 },
} as const;
export type AttemptKind = keyof typeof LIMITS;

/**
 * Counts attempts to sign in before they are made, for known and unknown accounts alike, for all processes together. Where somebody else
 * tries an account from elsewhere its owner can go on: only very many attempts close it, for a quarter of an hour. An address is the network
 * that somebody has: of IPv6 one of 64 bits.
 */
@Injectable()
export class SignInLimits {
  constructor(private readonly db: Database) {}

  /** @throws DomainError 429 `rate_limited` */
  async take(kind: AttemptKind, account: string, address: string): Promise<void> {
    const seconds = await this.count(kind, account, address);
    if (seconds === null) return;
    throw new DomainError('rate_limited', {
      kind: 'too_many',
      detail: 'Too many attempts to sign in; try again later.',
      retryAfterSeconds: Math.max(1, seconds),
    });
  }

  /** {@link take}, for what is answered alike either way. */
  async allows(kind: AttemptKind, account: string, address: string): Promise<boolean> {
    return (await this.count(kind, account, address)) === null;
  }

  /** Seconds until the next attempt; null where this one may be made. */
  private async count(kind: AttemptKind, account: string, address: string): Promise<number | null> {
    const { pair, account: whole, address: everywhere } = LIMITS[kind];
    const [over] = await this.db.statement<{ seconds: number | null }>(
      `WITH asked AS (
         SELECT sha256(convert_to(text, 'UTF8')) AS subject, most FROM unnest(${SUBJECTS}, $4::int[]) s(text, most)
       ), counted AS (
         INSERT INTO person_attempt AS a (subject, attempts, since)
         SELECT subject, 1, now() FROM asked ORDER BY subject
         ON CONFLICT (subject) DO UPDATE SET
           attempts = CASE WHEN ${IS_OVER} THEN 1 ELSE least(a.attempts + 1, 1000000) END,
           since = CASE WHEN ${IS_OVER} THEN now() ELSE a.since END
         RETURNING subject, attempts, ceil(extract(epoch FROM since - now()) + $5)::int AS seconds
       )
       SELECT max(seconds) AS seconds FROM counted JOIN asked USING (subject) WHERE attempts > most`,
      [kind, account.trim(), networkOf(address), [pair, whole, everywhere], ATTEMPT_SECONDS],
    );
    return over?.seconds ?? null;
  }

  /** It was the right person: the attempts at this account were none. */
  async clear(kind: AttemptKind, account: string, address: string): Promise<void> {
    await this.db.statement(
      `DELETE FROM person_attempt WHERE subject IN (
         SELECT sha256(convert_to(text, 'UTF8')) FROM unnest((${SUBJECTS})[1:2]) s(text))`,
      [kind, account.trim(), networkOf(address)],
    );
  }
}

/** A window that ended, or one of a time that the database's clock was set back from. */
const IS_OVER = 'a.since NOT BETWEEN now() - make_interval(secs => $5) AND now() + make_interval(secs => $5)';

/**
 * A pair, an account, an address, of $1, $2 and $3. Which account an e-mail address is says the database, here as where it is looked up:
 * in a few letters (`İ`) JavaScript has another small one, and each way to write an account would be counted by itself.
 */
const SUBJECTS = `ARRAY[$1 || ' pair ' || lower($2) || ' ' || $3, $1 || ' account ' || lower($2), $1 || ' address ' || $3]`;
