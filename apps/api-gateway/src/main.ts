import { endOnSignals, EnvReader, limitHeapGrowth, startAdvice, startTracing } from '@kontor/service-kit';
import { gatewayConfig, startGateway } from './index.js';

limitHeapGrowth();
try {
  const stopTracing = await startTracing(
    'api-gateway',
    new EnvReader(process.env).url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']),
  );
  const gateway = await startGateway(gatewayConfig(process.env));
  endOnSignals(() => gateway.stop().then(stopTracing));
} catch (error) {
  const { message, stack } = error as Error;
  process.stderr.write(`api-gateway: ${startAdvice(error) ?? stack ?? message}\n`);
  process.exit(1);
}
