import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Sql } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Log, SecretBox } from '@kontor/service-kit';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { publishedKeys } from '../domain/signing-keys.js';
import { ISSUER_NAMES, type IssuerName } from './issuer-addresses.js';

export const SIGNING_ALGORITHM = 'RS256';

interface KeyRow {
  readonly kid: string;
  readonly jwk: string;
  readonly createdAt: Date;
}

interface NewKey {
  readonly issuer: IssuerName;
  readonly kid: string;
  readonly sealed: string;
}

interface OpenedKey {
  readonly kid: string;
  readonly createdAt: Date;
  readonly jwk: JWK;
}

/** The keys that sign tokens, sealed at rest: each issuer has its own. */
@Injectable()
export class SigningKeys {
  constructor(
    private readonly db: Database,
    private readonly secrets: SecretBox,
    private readonly log: Log,
  ) {}

  /** The private keys that are published, the one that signs first; the first key is made when there is none. */
  async of(issuer: IssuerName, now = new Date()): Promise<JWK[]> {
    const { keys, unreadable } = await this.open(issuer);
    if (keys.length > 0) return publishedKeys(keys, now).map(({ jwk }) => jwk);
    await this.addFirst(issuer, unreadable);
    return this.of(issuer, now);
  }

  /**
   * Makes a new key for each issuer. It signs when it has been published for an hour; tokens of the old one stay valid.
   * `tenantId`: whose request it is, which takes its Idempotency-Key with the keys.
   */
  async rotate(tenantId: string): Promise<void> {
    const made = await Promise.all(ISSUER_NAMES.map(async (issuer) => ({ issuer, ...(await this.make()) })));
    await this.db.tenant(tenantId, async (tx) => {
      for (const key of made) await this.insert(tx, key, null);
    });
  }

  private async open(issuer: IssuerName): Promise<{ keys: OpenedKey[]; unreadable: string[] }> {
    const rows = await this.db.statement<KeyRow>(
      // Up to the one that signed a day ago: of what lies before it nothing is valid, by any machine's clock.
      `SELECT kid, jwk, created_at AS "createdAt" FROM signing_key
       WHERE issuer = $1 AND created_at >= coalesce(
         (SELECT max(created_at) FROM signing_key WHERE issuer = $1 AND created_at < now() - interval '1 day'), '-infinity')
       ORDER BY created_at DESC`,
      [issuer],
    );
    const keys: OpenedKey[] = [];
    const unreadable: string[] = [];
    for (const { kid, jwk, createdAt } of rows) {
      try {
        keys.push({ kid, createdAt, jwk: JSON.parse(this.secrets.open(jwk, kid)) as JWK });
        if (!jwk.startsWith(this.secrets.prefix)) await this.rewrap(kid, jwk);
      } catch (error) {
        unreadable.push(kid);
        this.log.warn({ err: error, kid }, 'a signing key cannot be opened: what it signed is no longer valid');
      }
    }
    return { keys, unreadable };
  }

  private async rewrap(kid: string, jwk: string): Promise<void> {
    await this.db.statement('UPDATE signing_key SET jwk = $3 WHERE kid = $1 AND jwk = $2', [
      kid,
      jwk,
      this.secrets.rewrap(jwk),
    ]);
  }

  /** Of several processes that find none that they can read, one makes it. */
  private async addFirst(issuer: IssuerName, unreadable: readonly string[]): Promise<void> {
    const key = { issuer, ...(await this.make()) };
    await this.db.system((sql) => this.insert(sql, key, unreadable));
  }

  private async make(): Promise<Pick<NewKey, 'kid' | 'sealed'>> {
    const kid = randomUUID();
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true, modulusLength: 2048 });
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: SIGNING_ALGORITHM, use: 'sig' };
    return { kid, sealed: this.secrets.seal(JSON.stringify(jwk), kid) };
  }

  /** `unreadable`: only where there are none but these. */
  private async insert(sql: Sql, { issuer, kid, sealed }: NewKey, unreadable: readonly string[] | null): Promise<void> {
    await sql.query(`SELECT pg_advisory_xact_lock(hashtext('signing_key'))`);
    await sql.query(
      `INSERT INTO signing_key (issuer, kid, jwk, created_at)
       SELECT $1, $2, $3, now()
       WHERE $4::text[] IS NULL OR NOT EXISTS (SELECT FROM signing_key WHERE issuer = $1 AND kid <> ALL($4::text[]))`,
      [issuer, kid, sealed, unreadable],
    );
  }
}
