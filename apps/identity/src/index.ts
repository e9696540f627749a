export { identityService } from './service.js';
export { Issuers } from './oauth/issuers.js';
export { CreateSandboxTenant } from './tenants/create-sandbox-tenant.js';
export { VerifyToken } from './tokens/verify-token.js';
