export { type GatewayConfig, gatewayConfig, maxConnectionsOf, rateLimitsOf } from './config.js';
export { type RunningGateway, startGateway } from './gateway.js';
