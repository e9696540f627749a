import { createHash } from 'node:crypto';
import type { Database } from '@kontor/persistence';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { IssuerName } from './issuer-addresses.js';

const digestOf = (id: string): Buffer => createHash('sha256').update(id).digest();

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
    const expiresAt = expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000);
    await this.db.statement(
      `INSERT INTO oidc_payload (issuer, model, id_digest, payload, grant_id, uid, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (issuer, model, id_digest) DO UPDATE
         SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`,
      [
        this.issuer,
        this.model,
        digestOf(id),
        JSON.stringify(withoutIds(payload)),
        payload.grantId ?? null,
        this.model === 'Session' ? payload.uid : null,
        expiresAt,
      ],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.read('id_digest', digestOf(id), id);
  }

  /** Whether a session still stands; its id is not known from its `uid`. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.read('uid', uid, '');
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** @throws InvalidGrant for whoever is not the first: a code is redeemed once, also by two requests of the same moment. */
  async consume(id: string): Promise<void> {
    const rows = await this.db.statement(
      `UPDATE oidc_payload SET consumed_at = now()
       WHERE issuer = $1 AND model = $2 AND id_digest = $3 AND consumed_at IS NULL RETURNING 1`,
      [this.issuer, this.model, digestOf(id)],
    );
    if (rows.length === 0) throw new errors.InvalidGrant(`${this.model} was used already`);
  }

  async destroy(id: string): Promise<void> {
    await this.db.statement('DELETE FROM oidc_payload WHERE issuer = $1 AND model = $2 AND id_digest = $3', [
      this.issuer,
      this.model,
      digestOf(id),
    ]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.db.statement('DELETE FROM oidc_payload WHERE issuer = $1 AND model = $2 AND grant_id = $3', [
      this.issuer,
      this.model,
      grantId,
    ]);
  }

  private async read(column: 'id_digest' | 'uid', value: unknown, id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.statement<{ payload: AdapterPayload; consumedAt: Date | null }>(
      `SELECT payload, consumed_at AS "consumedAt" FROM oidc_payload
       WHERE issuer = $1 AND model = $2 AND ${column} = $3 AND (expires_at IS NULL OR expires_at > now())`,
      [this.issuer, this.model, value],
    );
    if (!row) return undefined;
    const consumed = row.consumedAt ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) } : {};
    return { ...row.payload, jti: id, ...consumed };
  }
}

/** The ids of what is stored, and of the session that an interaction belongs to, are what a browser or an app shows. */
function withoutIds({ jti: _id, session, ...payload }: AdapterPayload): AdapterPayload {
  if (!session) return payload;
  const { cookie: _cookie, ...known } = session as { cookie?: string };
  return { ...payload, session: known as AdapterPayload['session'] };
}
