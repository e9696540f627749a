import { endOnSignals, startTracing } from '@kontor/service-kit';
import { gatewayConfig, startGateway } from './index.js';

try {
  const stopTracing = await startTracing('api-gateway', process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
  const gateway = await startGateway(gatewayConfig(process.env));
  endOnSignals(() => gateway.stop().then(stopTracing));
} catch (error) {
  process.stderr.write(`api-gateway: ${(error as Error).message}\n`);
  process.exit(1);
}
