import { CustomerMergesModule } from '@kontor/service-kit';
import { Module } from '@nestjs/common';
import { Browser } from './account-pages/browser.js';
import { ChangeSecurity } from './account-pages/change-security.js';
import { CompanyPagesController } from './account-pages/company-pages.controller.js';
import { ConfirmPerson } from './account-pages/confirm-person.js';
import { LinkPagesController } from './account-pages/link-pages.controller.js';
import { SecurityController } from './account-pages/security.controller.js';
import { ShowSecurity } from './account-pages/show-security.js';
import { SignInPagesController } from './account-pages/sign-in-pages.controller.js';
import { ChangeAccount } from './accounts/change-account.js';
import { CheckPassword } from './accounts/check-password.js';
import { Passkeys } from './accounts/passkeys.js';
import { SecondFactor } from './accounts/second-factor.js';
import { SignInLimits } from './accounts/sign-in-limits.js';
import { AuditLogController } from './audit-log/audit-log.controller.js';
import { ReadAuditLog } from './audit-log/read-audit-log.js';
import { ApiKeyController } from './api-keys/api-key.controller.js';
import { RotateApiKey } from './api-keys/rotate-api-key.js';
import { CreateApiKey } from './api-keys/create-api-key.js';
import { AdmitUser } from './company-sign-in/admit-user.js';
import { AskProvider } from './company-sign-in/ask-provider.js';
import { ChangeProvider } from './company-sign-in/change-provider.js';
import { CompanyLogout } from './company-sign-in/company-logout.js';
import { CompanyLogoutController } from './company-sign-in/company-logout.controller.js';
import { CompanySignIn } from './company-sign-in/company-sign-in.js';
import { IdentityProviderController } from './company-sign-in/identity-provider.controller.js';
import { ProveDomains } from './company-sign-in/prove-domains.js';
import { ProviderAccess } from './company-sign-in/provider-access.js';
import { ProviderPlaces } from './company-sign-in/provider-places.js';
import { TextRecords } from './company-sign-in/text-records.js';
import { CustomerArea } from './customer-sessions/customer-area.js';
import { CustomerAreaController } from './customer-sessions/customer-area.controller.js';
import { PublicCustomerController } from './customer-sessions/public-customer.controller.js';
import { RefreshSession } from './customer-sessions/refresh-session.js';
import { MakeLoginLinks } from './login-links/make-login-links.js';
import { OpenLoginLink } from './login-links/open-login-link.js';
import { RequestLoginLink } from './login-links/request-login-link.js';
import { SendLoginLinks } from './login-links/send-login-links.js';
import { EndSessions } from './merging/end-sessions.js';
import { SignOutCustomers } from './customer-sessions/sign-out-customers.js';
import { AppTokens } from './oauth/app-tokens.js';
import { AskIssuer } from './oauth/ask-issuer.js';
import { OauthClientsController } from './oauth/clients/clients.controller.js';
import { OauthClients } from './oauth/clients/oauth-clients.js';
import { InteractionController } from './oauth/interaction.controller.js';
import { Interactions } from './oauth/interactions.js';
import { IssuerAddresses } from './oauth/issuer-addresses.js';
import { Issuers } from './oauth/issuers.js';
import { LogoutDeliveries } from './oauth/logout/logout-deliveries.js';
import { SendLogouts } from './oauth/logout/send-logouts.js';
import { OauthController } from './oauth/oauth.controller.js';
import { SigningKeysController } from './oauth/signing-keys.controller.js';
import { SigningKeys } from './oauth/signing-keys.js';
import { AuthenticateCustomer } from './customer-sessions/authenticate-customer.js';
import { CustomerSessionController } from './customer-sessions/customer-session.controller.js';
import { AdvanceClock } from './sandbox-clock/advance-clock.js';
import { ClockServices } from './sandbox-clock/clock-services.js';
import { DriveClock } from './sandbox-clock/drive-clock.js';
import { SandboxClockController } from './sandbox-clock/sandbox-clock.controller.js';
import { CreateSandboxTenant } from './tenants/create-sandbox-tenant.js';
import { CreateTenant } from './tenants/create-tenant.js';
import { OpenTenant } from './tenants/open-tenant.js';
import { SetTenantStatus } from './tenants/set-tenant-status.js';
import { SandboxTenantController } from './tenants/sandbox-tenant.controller.js';
import { FirstTenantController } from './tenants/first-tenant.controller.js';
import { SetFeatures } from './tenants/set-features.js';
import { TenantController } from './tenants/tenant.controller.js';
import { ExportTenantController } from './tenants/export-tenant.controller.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { TenantReplicaSource } from './tenants/tenant-replica-source.js';
import { AnyTenantDeletionController } from './tenant-deletion/any-tenant-deletion.controller.js';
import { DeleteTenant } from './tenant-deletion/delete-tenant.js';
import { DeletionServices } from './tenant-deletion/deletion-services.js';
import { RequestDeletion } from './tenant-deletion/request-deletion.js';
import { RevokeDeletion } from './tenant-deletion/revoke-deletion.js';
import { TenantDeletionController } from './tenant-deletion/tenant-deletion.controller.js';
import { TokensController } from './tokens/tokens.controller.js';
import { VerifyToken } from './tokens/verify-token.js';
import { AcceptInvitation } from './users/accept-invitation.js';
import { DeleteAccount } from './users/delete-account.js';
import { ChangeRole } from './users/change-role.js';
import { ChangeUser } from './users/change-user.js';
import { InvitationsController } from './users/invitations.controller.js';
import { InviteUser } from './users/invite-user.js';
import { MailNewAddress } from './users/mail-new-address.js';
import { RolesController } from './users/roles.controller.js';
import { SignInController } from './users/sign-in.controller.js';
import { SignIn } from './users/sign-in.js';
import { SignInCodes } from './users/sign-in-codes.js';
import { ReportAccountEvents } from './users/report-account-events.js';
import { UserReplicaSource } from './users/user-replica-source.js';
import { UserTokens } from './users/user-tokens.js';
import { AccountsController } from './users/accounts.controller.js';
import { ResetSecondFactor } from './users/reset-second-factor.js';
import { UsersController } from './users/users.controller.js';

@Module({
  imports: [CustomerMergesModule.with(EndSessions)],
  controllers: [
    SignOutCustomers,
    TenantController,
    TenantsController,
    ExportTenantController,
    TenantDeletionController,
    AnyTenantDeletionController,
    SandboxTenantController,
    SandboxClockController,
    ApiKeyController,
    CustomerSessionController,
    PublicCustomerController,
    CustomerAreaController,
    OauthClientsController,
    SigningKeysController,
    OauthController,
    InteractionController,
    FirstTenantController,
    TokensController,
    UsersController,
    AccountsController,
    RolesController,
    InvitationsController,
    SignInController,
    AuditLogController,
    IdentityProviderController,
    SignInPagesController,
    CompanyPagesController,
    CompanyLogoutController,
    LinkPagesController,
    SecurityController,
  ],
  providers: [
    ResetSecondFactor,
    CreateTenant,
    OpenTenant,
    SetTenantStatus,
    RequestDeletion,
    RevokeDeletion,
    DeletionServices,
    DeleteTenant,
    CreateSandboxTenant,
    SetFeatures,
    CreateApiKey,
    RotateApiKey,
    AuthenticateCustomer,
    RefreshSession,
    CustomerArea,
    IssuerAddresses,
    SigningKeys,
    OauthClients,
    LogoutDeliveries,
    SendLogouts,
    Issuers,
    AskIssuer,
    AppTokens,
    Interactions,
    MakeLoginLinks,
    RequestLoginLink,
    SendLoginLinks,
    OpenLoginLink,
    VerifyToken,
    TenantReplicaSource,
    ClockServices,
    AdvanceClock,
    DriveClock,
    SignInLimits,
    CheckPassword,
    ChangeAccount,
    Passkeys,
    MailNewAddress,
    Browser,
    ConfirmPerson,
    DeleteAccount,
    ChangeSecurity,
    ShowSecurity,
    SecondFactor,
    ReadAuditLog,
    InviteUser,
    AcceptInvitation,
    ChangeUser,
    ChangeRole,
    SignIn,
    SignInCodes,
    ReportAccountEvents,
    ProviderAccess,
    TextRecords,
    ProveDomains,
    AskProvider,
    ProviderPlaces,
    ChangeProvider,
    AdmitUser,
    CompanySignIn,
    CompanyLogout,
    UserTokens,
    UserReplicaSource,
  ],
})
export class IdentityModule {}
