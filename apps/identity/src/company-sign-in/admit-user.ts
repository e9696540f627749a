import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { insertPerson, type Person, personByEmail, personById } from '../accounts/person.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { type IdentityProviderRow, identityProviders } from '../db/identity-provider.row.js';
import { providerLogins } from '../db/provider-login.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { domainOf, type ProviderIdentity } from '../domain/provider-claims.js';
import { lockTenant } from '../published-events.js';
import { partyOf } from '../users/change-user.js';
import { saveUser } from '../users/publish-user.js';

/**
 * Finds the user of a tenant whom its identity provider has named: known by the provider's own name for somebody, at the first time by the
 * e-mail address. Who is new here reads the language that the provider names, else that of the page. A provider speaks for its tenant
 * alone: it adds nobody who has an account elsewhere, and brings nobody back who was removed.
 */
@Injectable()
export class AdmitUser {
  /** `asked`: the settings by which the provider was asked. Null for who may not come in. */
  async execute(
    tx: TenantTx,
    asked: Pick<IdentityProviderRow, 'id'>,
    identity: ProviderIdentity,
    pageLanguage: Person['language'],
  ): Promise<Person | 'provider_changed' | null> {
    await lockTenant(tx);
    // It may have taken long to answer: what the tenant has set meanwhile counts.
    const provider = await identityProviders.findOne(tx, {});
    if (provider?.id !== asked.id) return 'provider_changed';
    if (!provider.provedDomains.includes(domainOf(identity.email))) return null;
    const { issuer } = provider;
    const login = await providerLogins.findOne(tx, { issuer, subject: identity.subject });
    if (login) return this.userOf(tx, await personById(tx, login.personId));
    const known = await personByEmail(tx, identity.email);
    const person = known
      ? await this.userOf(tx, known)
      : await this.make(tx, provider, identity, identity.language ?? pageLanguage);
    if (!person) return null;
    const made = await providerLogins.insertMissing(tx, {
      id: newUuid(),
      issuer,
      subject: identity.subject,
      personId: person.id,
      createdAt: new Date(),
    });
    // Somebody else got the address of who was here before.
    return made.length > 0 ? person : null;
  }

  private async userOf(tx: TenantTx, person: Person | null): Promise<Person | null> {
    const user = person && (await tenantUsers.findOne(tx, { personId: person.id }));
    return user && !user.deactivated ? person : null;
  }

  private async make(
    tx: TenantTx,
    { newUserRoles: roles }: IdentityProviderRow,
    { email, firstName, lastName }: ProviderIdentity,
    language: Person['language'],
  ): Promise<Person | null> {
    if (roles.length === 0) return null;
    const person = { id: newUuid(), email, firstName, lastName, language, passwordHash: null };
    if (!(await insertPerson(tx, person))) return null;
    const user = {
      tenantId: tx.tenantId,
      id: newUuid(),
      personId: person.id,
      roles: [...roles],
      deactivated: false,
      version: 0n,
      createdAt: new Date(),
    };
    await saveUser(tx, user, person);
    const made = { ...person, totpSecret: null };
    const party = partyOf({ user, person: made });
    await recordAudit(tx, { type: 'user.joined', actor: party, subject: party, metadata: { roles, by: 'company' } });
    return made;
  }
}
