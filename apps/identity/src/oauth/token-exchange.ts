import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { invariant } from '@kontor/kernel';
import type { Database } from '@kontor/persistence';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { IssuerName } from './issuer-addresses.js';
import { orOutage } from './outages.js';

export const digestOf = (id: string): Buffer => createHash('sha256').update(id).digest();

/** What is stored of a code, a token, a session …: of its id only the digest. */
export interface StoredPayload {
  readonly model: string;
  readonly idDigest: Buffer;
  readonly payload: AdapterPayload;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly expiresAt: Date | null;
}

/**
 * One request to the token endpoint. What was granted comes with the code or token that is shown; that it was used, and the tokens that are
 * given for it, are collected and written together at the end.
 */
export class TokenExchange {
  private static readonly running = new AsyncLocalStorage<TokenExchange>();
  grant: { readonly id: string; readonly payload: AdapterPayload } | undefined;
  used: { readonly model: string; readonly idDigest: Buffer; readonly grantId: string } | undefined;
  readonly given: StoredPayload[] = [];

  static current(): TokenExchange | undefined {
    return TokenExchange.running.getStore();
  }

  run<T>(work: () => T): T {
    return TokenExchange.running.run(this, work);
  }
}

/**
 * Does what the token endpoint does, and writes it in one statement: all of it or nothing, and only for the first who shows a code or a
 * token, also of two in the same moment. The grant stands until that is written. @throws InvalidGrant for everybody else.
 */
export async function exchangeTokens(db: Database, issuer: IssuerName, work: () => Promise<void>): Promise<void> {
  const exchange = new TokenExchange();
  await exchange.run(work);
  const { used, given } = exchange;
  invariant(used && given.length > 0, 'tokens are given for what is used up');
  const written = await orOutage(
    db.statement(EXCHANGE, [
      issuer,
      used.model,
      used.idDigest,
      digestOf(used.grantId),
      JSON.stringify(given.map(({ idDigest, ...rest }) => ({ ...rest, idDigest: idDigest.toString('hex') }))),
    ]),
  );
  if (written.length === 0) throw new errors.InvalidGrant(`${used.model} was used already`);
}

const EXCHANGE = `
  WITH granted AS (
    SELECT FROM oidc_payload WHERE issuer = $1 AND model = 'Grant' AND id_digest = $4 FOR KEY SHARE
  ), used AS (
    UPDATE oidc_payload SET consumed_at = now()
    WHERE issuer = $1 AND model = $2 AND id_digest = $3 AND consumed_at IS NULL AND EXISTS (SELECT FROM granted)
    RETURNING 1
  )
  INSERT INTO oidc_payload (issuer, model, id_digest, payload, grant_id, expires_at)
  SELECT $1, g.model, decode(g."idDigest", 'hex'), g.payload, g."grantId", g."expiresAt"
  FROM jsonb_to_recordset($5) AS g(model text, "idDigest" text, payload jsonb, "grantId" text, "expiresAt" timestamptz)
  WHERE EXISTS (SELECT FROM used)
  RETURNING 1`;
