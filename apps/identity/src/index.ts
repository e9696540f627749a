export { identityService } from './service.js';
export { CreateSandboxTenant } from './tenants/create-sandbox-tenant.js';
export { VerifyToken } from './tokens/verify-token.js';
