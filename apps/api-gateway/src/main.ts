import { gatewayConfig, startGateway } from './index.js';

try {
  const gateway = await startGateway(gatewayConfig(process.env));
  const stop = (): void => void gateway.stop().then(() => process.exit(0));
  process.on('SIGINT', stop).on('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
