import { invariant } from '@kontor/kernel';
import type { Database } from '@kontor/persistence';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { IssuerName } from './issuer-addresses.js';
import { orOutage } from './outages.js';
import { SavedSession } from './saved-session.js';
import { digestOf, type StoredPayload, TokenExchange } from './token-exchange.js';

interface FoundPayload {
  readonly payload: AdapterPayload;
  readonly consumedAt: Date | null;
  readonly granted: AdapterPayload | null;
}

/**
 * What the OAuth endpoints remember of one kind (codes, tokens, sessions …), by the digest of its id: who reads the database can
 * use none of it.
 */
export class OidcStore implements Adapter {
  constructor(
    private readonly db: Database,
    private readonly issuer: IssuerName,
    private readonly model: string,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const stored: StoredPayload = {
      model: this.model,
      idDigest: digestOf(id),
      payload: withAccount(withoutIds(payload)),
      grantId: payload.grantId ?? null,
      uid: this.model === 'Session' ? (payload.uid ?? null) : null,
      expiresAt: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000),
    };
    const exchange = TokenExchange.current();
    const saved = SavedSession.current();
    if (exchange) exchange.given.push(stored);
    else if (saved) await this.saveAgain(stored, saved);
    else await this.write(stored);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { grant } = TokenExchange.current() ?? {};
    if (this.model === 'Grant' && grant?.id === id) return grant.payload;
    return this.read('id_digest', digestOf(id), id);
  }

  /** Whether a session still stands; its id is not known from its `uid`. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.read('uid', uid, '');
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Takes effect with what is given for it. */
  consume(id: string): Promise<void> {
    const exchange = TokenExchange.current();
    invariant(
      exchange?.grant && !exchange.used,
      'a code or a refresh token is used up in an exchange, and one in each',
    );
    exchange.used = { model: this.model, idDigest: digestOf(id), grantId: exchange.grant.id };
    return Promise.resolve();
  }

  async destroy(id: string): Promise<void> {
    const saved = SavedSession.current();
    if (saved) saved.formerId = id;
    else await this.forget(id);
  }

  private async forget(id: string): Promise<void> {
    await this.statement('DELETE FROM oidc_payload WHERE issuer = $1 AND model = $2 AND id_digest = $3', [
      this.issuer,
      this.model,
      digestOf(id),
    ]);
  }

  /** The grant first: an exchange that goes on meanwhile holds it until its tokens can be seen, or finds it gone. */
  async revokeByGrantId(grantId: string): Promise<void> {
    await this.statement(`DELETE FROM oidc_payload WHERE issuer = $1 AND model = 'Grant' AND id_digest = $2`, [
      this.issuer,
      digestOf(grantId),
    ]);
    await this.statement('DELETE FROM oidc_payload WHERE issuer = $1 AND model = $2 AND grant_id = $3', [
      this.issuer,
      this.model,
      grantId,
    ]);
  }

  private async write(stored: StoredPayload, condition = ''): Promise<void> {
    const { model, idDigest, payload, grantId, uid, expiresAt } = stored;
    await this.statement(
      `INSERT INTO oidc_payload (issuer, model, id_digest, payload, grant_id, uid, expires_at)
       SELECT $1::text, $2::text, $3::bytea, $4::jsonb, $5::text, $6::text, $7::timestamptz ${condition}
       ON CONFLICT (issuer, model, id_digest) DO UPDATE
         SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`,
      [this.issuer, model, idDigest, JSON.stringify(payload), grantId, uid, expiresAt],
    );
  }

  /** Who ended it while a request went on has ended it. Under its new id first: two tabs may go on with it at once. */
  private async saveAgain(stored: StoredPayload, { formerId }: SavedSession): Promise<void> {
    await this.write(stored, `WHERE EXISTS (${STANDING})`);
    if (formerId !== undefined) await this.forget(formerId);
  }

  private statement<Row extends object>(sql: string, params: unknown[]): Promise<Row[]> {
    return orOutage(this.db.statement<Row>(sql, params));
  }

  private async read(column: 'id_digest' | 'uid', value: unknown, id: string): Promise<AdapterPayload | undefined> {
    const exchange = TokenExchange.current();
    const [row] = await this.statement<FoundPayload>(exchange ? withGrant(column) : alone(column), [
      this.issuer,
      this.model,
      value,
    ]);
    if (!row) return undefined;
    const { grantId } = row.payload;
    if (exchange && row.granted && grantId) exchange.grant = { id: grantId, payload: { ...row.granted, jti: grantId } };
    const consumed = row.consumedAt ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) } : {};
    return { ...row.payload, jti: id, ...consumed };
  }
}

const STANDING = 'SELECT FROM oidc_payload WHERE issuer = $1 AND model = $2 AND uid = $6 FOR KEY SHARE';

const STANDS = '(p.expires_at IS NULL OR p.expires_at > now())';

const alone = (column: string): string =>
  `SELECT p.payload, p.consumed_at AS "consumedAt", NULL AS granted FROM oidc_payload p
   WHERE p.issuer = $1 AND p.model = $2 AND p.${column} = $3 AND ${STANDS}`;

const withGrant = (column: string): string =>
  `SELECT p.payload, p.consumed_at AS "consumedAt", g.payload AS granted
   FROM oidc_payload p LEFT JOIN oidc_payload g
     ON g.issuer = p.issuer AND g.model = 'Grant' AND g.id_digest = sha256(convert_to(p.grant_id, 'UTF8'))
       AND (g.expires_at IS NULL OR g.expires_at > now())
   WHERE p.issuer = $1 AND p.model = $2 AND p.${column} = $3 AND ${STANDS}`;

/** The ids of what is stored, and of the session that an interaction belongs to, are what a browser or an app shows. */
function withoutIds({ jti: _id, session, ...payload }: AdapterPayload): AdapterPayload {
  if (!session) return payload;
  const { cookie: _cookie, ...known } = session as { cookie?: string };
  return { ...payload, session: known as AdapterPayload['session'] };
}

/** Somebody who has signed in and has not gone on yet is signed out with the account that waits there, like whoever has. */
function withAccount(payload: AdapterPayload): AdapterPayload {
  const { login } = (payload['result'] ?? {}) as { login?: { accountId?: string } };
  return login?.accountId === undefined ? payload : { ...payload, accountId: login.accountId };
}
