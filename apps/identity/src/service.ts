import { defineService } from '@kontor/service-kit';
import { IdentityModule } from './app.module.js';
import { auditInvariants } from './audit-log/audit-invariants.js';
import { AccountEventRow } from './db/account-event.row.js';
import { ApiKeyRow } from './db/api-key.row.js';
import { AuditEntryRow } from './db/audit-entry.row.js';
import { CustomerSessionRow } from './db/customer-session.row.js';
import { LoginLinkRow } from './db/login-link.row.js';
import { LogoutDeliveryRow } from './db/logout-delivery.row.js';
import { IdentityProviderRow } from './db/identity-provider.row.js';
import { OauthClientRow } from './db/oauth-client.row.js';
import { LoginRequestRow } from './db/login-request.row.js';
import { tenants } from './db/migrations/0001_tenants.js';
import { loginLinks } from './db/migrations/0003_login_links.js';
import { oauth } from './db/migrations/0004_oauth.js';
import { customerMerges } from './db/migrations/0005_customer_merges.js';
import { people } from './db/migrations/0006_people.js';
import { auditLog } from './db/migrations/0007_audit_log.js';
import { identityProviders } from './db/migrations/0008_identity_providers.js';
import { tenantDeletions } from './db/migrations/0009_tenant_deletions.js';
import { refreshFamilies } from './db/migrations/0010_refresh_families.js';
import { providerLogouts } from './db/migrations/0011_provider_logouts.js';
import { accountsOfPayloads } from './db/migrations/0012_accounts_of_payloads.js';
import { usersOfLoginLinks } from './db/migrations/0013_users_of_login_links.js';
import { invitingTenants } from './db/migrations/0014_inviting_tenants.js';
import { uncountedLoginRequests } from './db/migrations/0015_uncounted_login_requests.js';
import { sandboxClocks } from './db/migrations/0002_sandbox_clocks.js';
import { ProviderLoginRow } from './db/provider-login.row.js';
import { SandboxClockRow } from './db/sandbox-clock.row.js';
import { TenantRow } from './db/tenant.row.js';
import { customerData } from './customer-data.js';
import { tenantData } from './tenant-data.js';
import { TenantDeletionRow } from './db/tenant-deletion.row.js';
import { TenantUserRow } from './db/tenant-user.row.js';
import { UserInvitationRow } from './db/user-invitation.row.js';
import { UserRoleRow } from './db/user-role.row.js';

export const identityService = defineService({
  name: 'identity',
  module: IdentityModule,
  migrations: [
    tenants,
    sandboxClocks,
    loginLinks,
    oauth,
    customerMerges,
    people,
    auditLog,
    identityProviders,
    tenantDeletions,
    refreshFamilies,
    providerLogouts,
    accountsOfPayloads,
    usersOfLoginLinks,
    invitingTenants,
    uncountedLoginRequests,
  ],
  rows: [
    TenantRow,
    ApiKeyRow,
    CustomerSessionRow,
    SandboxClockRow,
    LoginRequestRow,
    LoginLinkRow,
    OauthClientRow,
    LogoutDeliveryRow,
    AccountEventRow,
    TenantUserRow,
    UserRoleRow,
    UserInvitationRow,
    AuditEntryRow,
    IdentityProviderRow,
    ProviderLoginRow,
    TenantDeletionRow,
  ],
  sealed: [
    { table: 'identity_provider', column: 'client_secret' },
    { table: 'person', column: 'totp_secret', ofNoTenant: true },
    { table: 'signing_key', column: 'jwk', id: 'kid', ofNoTenant: true },
  ],
  invariants: auditInvariants,
  replicas: ['customer', 'settings'],
  customerData,
  tenantData,
  retention: () => [{ table: 'login_link', ids: 'uuid', days: 7 }],
});
