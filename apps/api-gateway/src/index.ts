export { type GatewayConfig, gatewayConfig } from './config.js';
export { doorOf, rateLimitsOf } from './door.js';
export { type RunningGateway, startGateway } from './gateway.js';
