import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError, newUuid, notFound, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { refusalOfAddress } from '@kontor/service-kit';
import { lockLogouts, noteEndedProvider } from '../accounts/provider-logouts.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { type IdentityProviderRow, identityProviders } from '../db/identity-provider.row.js';
import { providerLogins } from '../db/provider-login.row.js';
import { provedAlready } from '../domain/email-domains.js';
import { lockTenant } from '../published-events.js';
import { grantableRoles, refuseToGive, refuseToTake } from '../users/user-grants.js';
import { NAMED_TOKENS } from './company-sign-in.js';
import type { IdentityProviderDto } from './identity-provider.dto.js';
import { ProviderAccess } from './provider-access.js';

/**
 * Sets and removes the identity provider of a tenant, by somebody who may do everything: whoever says who signs in can become anybody of the
 * tenant.
 */
@Injectable()
export class ChangeProvider {
  constructor(private readonly access: ProviderAccess) {}

  /** @throws DomainError 403 `permission_denied`, 422 `validation_failed`, `unknown_reference`, `company_sign_in_unproved` */
  async set(tx: TenantTx, caller: Principal, body: IdentityProviderDto): Promise<IdentityProviderRow> {
    refuseToGive(caller, ['*']);
    const tenant = await lockTenant(tx);
    const refusal = refusalOfAddress(body.issuer, this.access.reachOf(tenant));
    if (refusal !== null) throw validationFailed('issuer', `issuer ${refusal}.`, 'invalid_url');
    const { search, hash } = new URL(body.issuer);
    if (search || hash) throw validationFailed('issuer', 'issuer must have no query and no fragment.', 'invalid_url');
    const before = await identityProviders.findOne(tx, {});
    const isSame = before?.issuer === body.issuer && before.clientId === body.clientId;
    // Another issuer or client is another provider.
    const id = isSame ? before.id : newUuid();
    // A secret is for whom it was given: another issuer does not get it by the way.
    const clientSecret = body.clientSecret ? this.access.seal(body.clientSecret, id) : isSame && before.clientSecret;
    if (!clientSecret)
      throw validationFailed('clientSecret', 'clientSecret is needed for a new issuer or client.', 'required');
    const row: IdentityProviderRow = {
      tenantId: tx.tenantId,
      id,
      issuer: body.issuer,
      clientId: body.clientId,
      clientSecret,
      domains: [...new Set(body.domains)],
      domainProof: before?.domainProof ?? randomBytes(24).toString('base64url'),
      provedDomains: provedAlready([...new Set(body.domains)], {
        before: before?.provedDomains ?? [],
        isSandbox: tenant.mode === 'sandbox',
      }),
      newUserRoles: await grantableRoles(tx, caller, body.newUserRoles ?? [], 'newUserRoles'),
      passwordAllowed: body.passwordAllowed ?? true,
      secondFactorRequired: body.secondFactorRequired ?? false,
      redirectUris: [...new Set(body.redirectUris ?? [])],
      updatedAt: new Date(),
    };
    if (!row.passwordAllowed && !(await providerLogins.exists(tx, { issuer: row.issuer })))
      throw new DomainError('company_sign_in_unproved', {
        detail: 'Nobody has signed in by this identity provider yet: try it before passwords are forbidden.',
      });
    if (before && !isSame) await end(tx, before);
    await identityProviders.save(tx, row);
    await recordAudit(tx, {
      type: 'identity_provider.changed',
      subject: subjectOf(row),
      metadata: { before: before && shown(before), after: shown(row), secretChanged: Boolean(body.clientSecret) },
    });
    return row;
  }

  /** @throws DomainError 403 `permission_denied`, 404 `not_found` */
  async remove(tx: TenantTx, caller: Principal): Promise<void> {
    refuseToTake(caller, ['*']);
    await lockTenant(tx);
    const row = await identityProviders.findOne(tx, {});
    if (!row) throw notFound('An identity provider');
    await tx.query('DELETE FROM provider_login WHERE tenant_id = $1', [tx.tenantId]);
    await end(tx, row);
    await recordAudit(tx, {
      type: 'identity_provider.removed',
      subject: subjectOf(row),
      metadata: { before: shown(row) },
    });
  }
}

const subjectOf = ({ id, issuer }: IdentityProviderRow) => ({ kind: 'identity_provider', id, name: issuer });

const shown = ({
  issuer,
  clientId,
  domains,
  newUserRoles,
  passwordAllowed,
  secondFactorRequired,
  redirectUris,
}: IdentityProviderRow) => ({
  issuer,
  clientId,
  domains,
  newUserRoles,
  passwordAllowed,
  secondFactorRequired,
  redirectUris,
});

/** What a former provider, or this one under another name, has said of people counts no longer, nor what it is about to say. */
async function end(tx: TenantTx, { id }: IdentityProviderRow): Promise<void> {
  await identityProviders.delete(tx, { id });
  await lockLogouts(tx, tx.tenantId, 'ends');
  await noteEndedProvider(tx, tx.tenantId, id);
  await tx.query(`DELETE FROM person_session WHERE $1 IN (tenant_id, only_tenant) AND methods ? 'company'`, [
    tx.tenantId,
  ]);
  await tx.query(`DELETE FROM person_token WHERE purpose = ANY($2::text[]) AND payload->>'tenantId' = $1`, [
    tx.tenantId,
    NAMED_TOKENS,
  ]);
}
