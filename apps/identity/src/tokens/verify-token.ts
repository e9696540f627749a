import { Injectable } from '@nestjs/common';
import type { Principal, VerifyTokenResponse } from '@kontor/contracts';
import type { DomainError } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { isBound } from '../api-keys/reach.js';
import { apiKeys } from '../db/api-key.row.js';
import { customerSessions } from '../db/customer-session.row.js';
import { tenants } from '../db/tenant.row.js';
import { Log, OPERATOR, tenantSuspended, unauthenticated as refused } from '@kontor/service-kit';
import { AppTokens } from '../oauth/app-tokens.js';
import { UserTokens } from '../users/user-tokens.js';
import { permissionsIn } from '../accounts/permissions-in.js';
import { digestOf } from '../secrets/digest.js';

interface Found {
  readonly tenantId: string;
  readonly id: string;
}

interface Verified {
  readonly principal: Omit<Principal, 'tenantId' | 'mode'>;
  readonly expiresAt: Date | null;
  readonly allowedIps?: readonly string[] | null;
  /** When its use was last written down; undefined for what keeps no account of it. */
  readonly lastUsedAt?: Date | null;
}

/**
 * Finds the principal of a bearer token. Expiry is real time: a sandbox clock neither shortens nor lengthens a secret's life.
 * @throws DomainError 401 `unauthenticated` for everything that is not a valid token, without a reason.
 */
@Injectable()
export class VerifyToken {
  constructor(
    private readonly db: Database,
    private readonly appTokens: AppTokens,
    private readonly userTokens: UserTokens,
    private readonly log: Log,
  ) {}

  async execute(token: string): Promise<VerifyTokenResponse> {
    if (token.includes('.')) {
      const found = await this.appTokens.verify(token);
      if (!found) throw unauthenticated();
      return found;
    }
    if (token.startsWith('usr_')) return this.userTokens.verify(token);
    const lookup = token.startsWith('api_')
      ? 'api_key_by_digest'
      : token.startsWith('cus_')
        ? 'customer_session_by_access'
        : undefined;
    if (!lookup) throw unauthenticated();
    const [found] = await this.db.system((sql) =>
      sql.query<Found>(`SELECT tenant_id AS "tenantId", id FROM ${lookup}($1)`, [digestOf(token)]),
    );
    if (!found) throw unauthenticated();
    const isApiKey = token.startsWith('api_');
    const { isUseDue, ...verified } = await this.db.tenant(
      found.tenantId,
      (tx) => this.describe(tx, found.id, isApiKey),
      { readOnly: true },
    );
    if (isUseDue) await this.noteUse(found);
    return verified;
  }

  /** Once a minute and key. Without room to write, or a database that is busy, the key counts all the same. */
  private async noteUse({ tenantId, id }: Found): Promise<void> {
    await this.db
      .tenant(tenantId, (tx) =>
        tx.query('UPDATE api_key SET last_used_at = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, id, new Date()]),
      )
      .catch((error: unknown) => this.log.warn({ err: error }, 'the use of a key was not written down'));
  }

  private async describe(
    tx: TenantTx,
    id: string,
    isApiKey: boolean,
  ): Promise<VerifyTokenResponse & { isUseDue?: boolean }> {
    const tenant = await tenants.findOne(tx, {});
    const verified = isApiKey ? await this.apiKey(tx, id) : await this.customerSession(tx, id);
    if (!tenant || !verified || (verified.expiresAt !== null && verified.expiresAt.getTime() <= Date.now()))
      throw unauthenticated();
    if (tenant.status === 'suspended' && !verified.principal.permissions.includes(OPERATOR)) throw tenantSuspended();
    const { permissions } = verified.principal;
    return {
      principal: {
        ...verified.principal,
        permissions: permissionsIn(tenant, permissions),
        tenantId: tx.tenantId,
        mode: tenant.mode,
      },
      mode: tenant.mode,
      expiresAt: verified.expiresAt?.toISOString() ?? null,
      ...(verified.allowedIps ? { allowedIps: verified.allowedIps } : {}),
      ...(isDue(verified.lastUsedAt) ? { isUseDue: true } : {}),
    };
  }

  private async apiKey(tx: TenantTx, id: string): Promise<Verified | undefined> {
    const key = await apiKeys.get(tx, id);
    return key
      ? {
          principal: {
            kind: 'api_key',
            subjectId: key.id,
            permissions: key.permissions,
            scopes: [],
            name: key.name,
            ...(isBound(key) ? { isBound: true } : {}),
          },
          expiresAt: key.expiresAt,
          allowedIps: key.allowedIps,
          lastUsedAt: key.lastUsedAt,
        }
      : undefined;
  }

  private async customerSession(tx: TenantTx, id: string): Promise<Verified | undefined> {
    const session = await customerSessions.get(tx, id);
    if (!session) return undefined;
    return {
      principal: {
        kind: 'customer',
        subjectId: session.customerId,
        customerId: session.customerId,
        permissions: [],
        scopes: [],
        sessionId: session.id,
      },
      expiresAt: session.accessExpiresAt,
    };
  }
}

/** A use is written down when the last one is a minute old. */
const isDue = (lastUsedAt: Date | null | undefined): boolean =>
  lastUsedAt === null || (lastUsedAt !== undefined && lastUsedAt.getTime() < Date.now() - 60_000);

const unauthenticated = (): DomainError => refused('The token is missing, unknown, revoked or expired.');
