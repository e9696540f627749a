import { ConfigurationError } from '@kontor/service-kit';
import { NewerDatabaseError } from '@kontor/persistence';
import { CannotStart } from './data-folder.js';
import { screen } from './screen.js';
import { startSystem } from './start-system.js';

// Asked to stop while starting: what was begun is finished first, so that no server is left behind.
let stop: (() => Promise<void>) | undefined;
let stopping = false;
const onSignal = (): void => {
  if (stopping) return;
  stopping = true;
  void stop?.().then(() => process.exit(0));
};
process.on('SIGINT', onSignal).on('SIGTERM', onSignal);

const began = performance.now();
try {
  const system = await startSystem(process.env);
  stop = () => system.stop();
  if (stopping) await stop().then(() => process.exit(0));
  process.stdout.write(screen(system.connection, { dataDir: system.dataDir, seconds: (performance.now() - began) / 1000, shape: 'one process' }));
} catch (error) {
  const plain = error instanceof CannotStart || error instanceof ConfigurationError || error instanceof NewerDatabaseError;
  process.stderr.write(`${plain ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}
