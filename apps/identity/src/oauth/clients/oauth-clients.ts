import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUuid, newUuid, notFound, validationFailed } from '@kontor/kernel';
import { Database, onCommit, Replicas, type TenantTx } from '@kontor/persistence';
import type { ClientMetadata } from 'oidc-provider';
import { recordAudit } from '../../audit-log/record-audit.js';
import { type OauthClientRow, oauthClients } from '../../db/oauth-client.row.js';
import { tenants } from '../../db/tenant.row.js';
import { OWN_SCOPE, SCOPES } from '../../domain/oauth-scopes.js';
import type { Tenant } from '../../domain/tenant.js';
import { sellerNameIn, settingsCopies } from '../../tenants/seller-name.js';
import { ISSUER_NAMES, type IssuerName } from '../issuer-addresses.js';
import { Recent } from '../recent.js';
import type { OauthClientDto } from './client.dto.js';

/** What is kept of an app's secret, which is random and long: nothing to slow a guesser down is needed. */
export const secretDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const newSecret = (): string => randomBytes(32).toString('base64url');

export interface ClientOwner {
  readonly tenantId: string;
  /** Of the app. */
  readonly name: string;
  readonly tenantStatus: Tenant['status'];
}

/** How long another process may not know that an app was changed, or its tenant suspended. */
const RECENT_MS = 500;

/** The apps that sign customers in. */
@Injectable()
export class OauthClients {
  private readonly recent = new Recent<ClientMetadata>(RECENT_MS);

  constructor(
    private readonly db: Database,
    private readonly replicas: Replicas,
  ) {}

  async create(tx: TenantTx, body: OauthClientDto): Promise<{ row: OauthClientRow; secret: string | null }> {
    const fields = fieldsOf(body);
    const secret = fields.tokenEndpointAuthMethod === 'none' ? null : newSecret();
    const row: OauthClientRow = {
      tenantId: tx.tenantId,
      id: newUuid(),
      ...fields,
      secretDigest: secret && secretDigest(secret),
      createdAt: tx.now,
    };
    await oauthClients.insert(tx, row);
    await recordAudit(tx, { type: 'oauth_client.created', subject: subjectOf(row), metadata: { after: shown(row) } });
    return { row, secret };
  }

  /** @throws DomainError `validation_failed` where a secret would have to be made or lost by the way. */
  async change(tx: TenantTx, row: OauthClientRow, body: OauthClientDto): Promise<OauthClientRow> {
    const fields = fieldsOf({ tokenEndpointAuthMethod: row.tokenEndpointAuthMethod, ...body });
    if ((fields.tokenEndpointAuthMethod === 'none') !== (row.tokenEndpointAuthMethod === 'none'))
      throw validationFailed(
        'tokenEndpointAuthMethod',
        'An app with a secret stays one, and one without as well.',
        'fixed',
      );
    const changed = { ...row, ...fields };
    await oauthClients.update(tx, changed);
    const metadata = { before: shown(row), after: shown(changed) };
    await recordAudit(tx, { type: 'oauth_client.changed', subject: subjectOf(changed), metadata });
    return changed;
  }

  /** @throws DomainError `validation_failed` for an app that has no secret. */
  async rotateSecret(tx: TenantTx, row: OauthClientRow): Promise<{ row: OauthClientRow; secret: string }> {
    if (row.secretDigest === null)
      throw validationFailed('tokenEndpointAuthMethod', 'This app has no secret.', 'not_applicable');
    const secret = newSecret();
    const changed = { ...row, secretDigest: secretDigest(secret) };
    await oauthClients.update(tx, changed);
    await recordAudit(tx, { type: 'oauth_client.secret_rotated', subject: subjectOf(row) });
    return { row: changed, secret };
  }

  async remove(tx: TenantTx, row: OauthClientRow): Promise<void> {
    await oauthClients.delete(tx, { id: row.id });
    await recordAudit(tx, { type: 'oauth_client.deleted', subject: subjectOf(row), metadata: { before: shown(row) } });
  }

  /** Works on an app, in its tenant, whichever that is. @throws DomainError 404 `not_found` */
  async within<T>(id: string, work: (tx: TenantTx, row: OauthClientRow) => Promise<T>): Promise<T> {
    const tenantId = await this.tenantOf(id);
    if (!tenantId) throw notFound('The app');
    return this.db.tenant(tenantId, async (tx) => {
      const row = await oauthClients.get(tx, id, { lock: 'update' });
      if (!row) throw notFound('The app');
      onCommit(tx, () => ISSUER_NAMES.forEach((issuer) => this.recent.forget(`${issuer} ${row.id}`)));
      return work(tx, row);
    });
  }

  /** An app as its issuer knows it, or knew it a moment ago; undefined for the other issuer, which has tenants of its own. */
  async metadata(id: string, issuer: IssuerName): Promise<ClientMetadata | undefined> {
    return isUuid(id) ? this.recent.get(`${issuer} ${id.toLowerCase()}`, () => this.read(id, issuer)) : undefined;
  }

  /** Whose app it is, for each token that is checked: no more of it than that takes. */
  async owner(id: string, issuer: IssuerName): Promise<ClientOwner | undefined> {
    const tenantId = await this.tenantOf(id);
    if (!tenantId) return undefined;
    const [found] = await this.db.tenant(
      tenantId,
      (tx) =>
        tx.query<ClientOwner>(
          `SELECT t.tenant_id AS "tenantId", c.name, t.status AS "tenantStatus"
           FROM oauth_client c JOIN tenant t ON t.tenant_id = c.tenant_id
           WHERE c.tenant_id = $1 AND c.id = $2 AND t.mode = $3`,
          [tenantId, id, issuer],
        ),
      { atOnce: true },
    );
    return found;
  }

  private async read(id: string, issuer: IssuerName): Promise<ClientMetadata | undefined> {
    const tenantId = await this.tenantOf(id);
    if (!tenantId) return undefined;
    return this.db.tenant(
      tenantId,
      async (tx) => {
        const [row, tenant, settings] = await Promise.all([
          oauthClients.get(tx, id),
          tenants.findOne(tx, {}),
          settingsCopies(tx, this.replicas),
        ]);
        if (!row || tenant?.mode !== issuer) return undefined;
        return { ...metadataOf(row, sellerNameIn(settings, tenant)), suspended: tenant.status !== 'active' };
      },
      { atOnce: true },
    );
  }

  private async tenantOf(id: string): Promise<string | undefined> {
    const [found] = await this.db.statement<{ tenantId: string }>(
      'SELECT tenant_id AS "tenantId" FROM oauth_client_by_id($1)',
      [id],
    );
    return found?.tenantId;
  }
}

const subjectOf = ({ id, name }: OauthClientRow) => ({ kind: 'oauth_client', id, name });

/** What an app may do, and where its answers and reports go. */
const shown = ({
  name,
  redirectUris,
  scopes,
  postLogoutRedirectUris,
  frontchannelLogoutUri,
  backchannelLogoutUri,
  tokenEndpointAuthMethod,
}: OauthClientRow) => ({
  name,
  redirectUris,
  scopes,
  postLogoutRedirectUris,
  frontchannelLogoutUri,
  backchannelLogoutUri,
  tokenEndpointAuthMethod,
});

const fieldsOf = (body: OauthClientDto) => ({
  name: body.name,
  redirectUris: [...new Set(body.redirectUris)],
  scopes: [...new Set(body.scopes ?? SCOPES)],
  postLogoutRedirectUris: [...new Set(body.postLogoutRedirectUris ?? [])],
  frontchannelLogoutUri: body.frontchannelLogoutUri ?? null,
  backchannelLogoutUri: body.backchannelLogoutUri ?? null,
  tokenEndpointAuthMethod: body.tokenEndpointAuthMethod ?? ('client_secret_post' as const),
});

/** Beside what the standard names: the tenant, and the address that browsers are led through at a logout. */
const metadataOf = (row: OauthClientRow, seller: string): ClientMetadata => ({
  client_id: row.id,
  client_name: row.name,
  ...(row.secretDigest === null ? {} : { client_secret: row.secretDigest }),
  token_endpoint_auth_method: row.tokenEndpointAuthMethod,
  application_type: 'web',
  grant_types: row.scopes.includes('offline') ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
  response_types: ['code'],
  redirect_uris: row.redirectUris,
  post_logout_redirect_uris: row.postLogoutRedirectUris,
  scope: allowedScopes(row.scopes).join(' '),
  ...(row.backchannelLogoutUri === null
    ? {}
    : { backchannel_logout_uri: row.backchannelLogoutUri, backchannel_logout_session_required: true }),
  frontchannel_logout_uri: row.frontchannelLogoutUri ?? undefined,
  tenant_id: row.tenantId,
  seller,
});

/** The identity has two names; who may ask by one may ask by the other. */
const allowedScopes = (scopes: readonly string[]): string[] =>
  scopes.includes('openid') || scopes.includes(OWN_SCOPE)
    ? [...new Set([...scopes, 'openid', OWN_SCOPE])]
    : [...scopes];
