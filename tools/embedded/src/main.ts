import { ConfigurationError } from '@kontor/service-kit';
import { NewerDatabaseError } from '@kontor/persistence';
import { CannotStart } from './data-folder.js';
import { screen } from './screen.js';
import { startSystem } from './start-system.js';

const began = performance.now();
try {
  const system = await startSystem(process.env);
  process.stdout.write(screen(system.connection, { dataDir: system.dataDir, seconds: (performance.now() - began) / 1000, shape: 'one process' }));
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void system.stop().then(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
} catch (error) {
  const plain = error instanceof CannotStart || error instanceof ConfigurationError || error instanceof NewerDatabaseError;
  process.stderr.write(`${plain ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}
