import { CustomerMergesModule } from '@kontor/service-kit';
import { Module } from '@nestjs/common';
import { ApiKeyController } from './api-keys/api-key.controller.js';
import { RotateApiKey } from './api-keys/rotate-api-key.js';
import { CreateApiKey } from './api-keys/create-api-key.js';
import { CustomerArea } from './customer-sessions/customer-area.js';
import { CustomerAreaController } from './customer-sessions/customer-area.controller.js';
import { PublicCustomerController } from './customer-sessions/public-customer.controller.js';
import { RefreshSession } from './customer-sessions/refresh-session.js';
import { MakeLoginLinks } from './login-links/make-login-links.js';
import { OpenLoginLink } from './login-links/open-login-link.js';
import { RequestLoginLink } from './login-links/request-login-link.js';
import { SendLoginLinks } from './login-links/send-login-links.js';
import { EndSessions } from './merging/end-sessions.js';
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
import { TokensController } from './tokens/tokens.controller.js';
import { VerifyToken } from './tokens/verify-token.js';

@Module({
  imports: [CustomerMergesModule.with(EndSessions)],
  controllers: [
    TenantController,
    TenantsController,
    ExportTenantController,
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
  ],
  providers: [
    CreateTenant,
    OpenTenant,
    SetTenantStatus,
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
  ],
})
export class IdentityModule {}
