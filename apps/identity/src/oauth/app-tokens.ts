import { Injectable } from '@nestjs/common';
import type { CustomerId } from '@kontor/kernel';
import type { VerifyTokenResponse } from '@kontor/contracts';
import { tenantClosed, tenantSuspended } from '@kontor/service-kit';
import { decodeJwt } from 'jose';
import { shownScope } from '../domain/oauth-scopes.js';
import { OauthClients } from './clients/oauth-clients.js';
import { ISSUER_NAMES } from './issuer-addresses.js';
import { Issuers } from './issuers.js';

/** The access tokens of apps, as long as nobody has revoked them: neither the app's removal, nor a logout, nor the app itself. */
@Injectable()
export class AppTokens {
  constructor(
    private readonly issuers: Issuers,
    private readonly clients: OauthClients,
  ) {}

  /** @throws DomainError 403 `tenant_suspended`, `tenant_closed` */
  async verify(jwt: string): Promise<VerifyTokenResponse | undefined> {
    const issuer = ISSUER_NAMES.find((name) => this.issuers.addresses.urlOf(name) === issuerIn(jwt));
    if (!issuer) return undefined;
    const { provider, tokens } = await this.issuers.of(issuer);
    const id = await tokens.idOf(jwt);
    const token = id === undefined ? undefined : await provider.AccessToken.find(id);
    const clientId = token?.clientId;
    const client = clientId === undefined ? undefined : await this.clients.owner(clientId, issuer);
    if (!token || clientId === undefined || !client) return undefined;
    if (client.tenantStatus === 'suspended') throw tenantSuspended();
    if (client.tenantStatus === 'closed') throw tenantClosed();
    return {
      principal: {
        kind: 'client',
        tenantId: client.tenantId,
        subjectId: clientId,
        customerId: token.accountId as CustomerId,
        permissions: [],
        scopes: shownScope(token.scope ?? '').split(' '),
        name: client.name,
        mode: issuer,
        ...(token.grantId === undefined ? {} : { sessionId: token.grantId }),
      },
      mode: issuer,
      expiresAt: new Date((token.exp ?? 0) * 1000).toISOString(),
    };
  }
}

function issuerIn(jwt: string): unknown {
  try {
    return decodeJwt(jwt).iss;
  } catch {
    return undefined;
  }
}
