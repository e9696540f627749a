export { doorOf, type GatewayConfig, gatewayConfig, rateLimitsOf } from './config.js';
export { type RunningGateway, startGateway } from './gateway.js';
