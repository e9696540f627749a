import { Module } from '@nestjs/common';
import { ApiKeyController } from './api-keys/api-key.controller.js';
import { CreateApiKey } from './api-keys/create-api-key.js';
import { CustomerArea } from './customer-sessions/customer-area.js';
import { CustomerAreaController } from './customer-sessions/customer-area.controller.js';
import { PublicCustomerController } from './customer-sessions/public-customer.controller.js';
import { RefreshSession } from './customer-sessions/refresh-session.js';
import { MakeLoginLinks } from './login-links/make-login-links.js';
import { OpenLoginLink } from './login-links/open-login-link.js';
import { RequestLoginLink } from './login-links/request-login-link.js';
import { SendLoginLinks } from './login-links/send-login-links.js';
import { AuthenticateCustomer } from './customer-sessions/authenticate-customer.js';
import { CustomerSessionController } from './customer-sessions/customer-session.controller.js';
import { AdvanceClock } from './sandbox-clock/advance-clock.js';
import { ClockServices } from './sandbox-clock/clock-services.js';
import { DriveClock } from './sandbox-clock/drive-clock.js';
import { SandboxClockController } from './sandbox-clock/sandbox-clock.controller.js';
import { CreateSandboxTenant } from './tenants/create-sandbox-tenant.js';
import { CreateTenant } from './tenants/create-tenant.js';
import { SandboxTenantController } from './tenants/sandbox-tenant.controller.js';
import { FirstTenantController } from './tenants/first-tenant.controller.js';
import { SetFeatures } from './tenants/set-features.js';
import { TenantController } from './tenants/tenant.controller.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { TenantReplicaSource } from './tenants/tenant-replica-source.js';
import { TokensController } from './tokens/tokens.controller.js';
import { VerifyToken } from './tokens/verify-token.js';

@Module({
  controllers: [
    TenantController,
    TenantsController,
    SandboxTenantController,
    SandboxClockController,
    ApiKeyController,
    CustomerSessionController,
    PublicCustomerController,
    CustomerAreaController,
    FirstTenantController,
    TokensController,
  ],
  providers: [
    CreateTenant,
    CreateSandboxTenant,
    SetFeatures,
    CreateApiKey,
    AuthenticateCustomer,
    RefreshSession,
    CustomerArea,
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
