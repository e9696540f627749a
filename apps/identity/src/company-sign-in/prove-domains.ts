import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { recordAudit } from '../audit-log/record-audit.js';
import { type IdentityProviderRow, identityProviders } from '../db/identity-provider.row.js';
import { recordOf } from '../domain/email-domains.js';
import { lockTenant } from '../published-events.js';
import { refuseToGive } from '../users/user-grants.js';
import { representProvider } from './identity-provider.schemas.js';
import { ProviderAccess } from './provider-access.js';
import { TextRecords } from './text-records.js';

/** Looks into the DNS of the domains that a tenant names, whether it has put there what only it can put there. */
@Injectable()
export class ProveDomains {
  constructor(
    private readonly db: Database,
    private readonly records: TextRecords,
    private readonly access: ProviderAccess,
  ) {}

  /** @throws DomainError 403 `permission_denied`, 404 `not_found` */
  async execute(caller: Principal) {
    refuseToGive(caller, ['*']);
    const asked = await this.db.tenant(caller.tenantId, (tx) => identityProviders.findOne(tx, {}), { readOnly: true });
    if (!asked) throw notFound('An identity provider');
    const found = await this.look(asked);
    return this.db.tenant(caller.tenantId, async (tx) => {
      await lockTenant(tx);
      const row = await identityProviders.findOne(tx, {});
      if (!row) throw notFound('An identity provider');
      // Those that were taken out meanwhile, or had to be proved anew, are not proved by the way.
      const proved = row.domainProof === asked.domainProof ? found.filter((name) => row.domains.includes(name)) : [];
      const added = proved.filter((name) => !row.provedDomains.includes(name));
      if (added.length === 0) return representProvider(row, this.access.callbackUrl);
      row.provedDomains = [...row.provedDomains, ...added];
      await identityProviders.update(tx, row, ['provedDomains']);
      await recordAudit(tx, {
        type: 'identity_provider.domains_proved',
        subject: { kind: 'identity_provider', id: row.id, name: row.issuer },
        metadata: { domains: added },
      });
      return representProvider(row, this.access.callbackUrl);
    });
  }

  private async look({ domains, provedDomains, domainProof }: IdentityProviderRow): Promise<string[]> {
    const open = domains.filter((domain) => !provedDomains.includes(domain));
    const answers = await Promise.all(
      open.map((domain) => {
        const { name, value } = recordOf(domain, domainProof);
        return this.records.has(name, value);
      }),
    );
    return open.filter((_domain, n) => answers[n]);
  }
}
