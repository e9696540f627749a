import './require-node.js';
import type { RunningSystem } from './start-system.js';
import { whenAskedToEnd } from './when-asked-to-end.js';

// Asked to stop while starting: what was begun is finished first, so that no server is left behind. Everything else is
// loaded after this, because loading takes a while.
let started!: (system: RunningSystem) => void;
const running = new Promise<RunningSystem>((resolve) => (started = resolve));
let stopping = false;
const end = (code: number): void => {
  if (stopping) return;
  stopping = true;
  void import('@kontor/service-kit').then(({ endProcess }) => endProcess(async () => (await running).stop(), code));
};
whenAskedToEnd(() => end(0));

const began = performance.now();
try {
  const { beginStart } = await import('./begin-start.js');
  const begun = await beginStart(process.env);
  const { startSystem } = await import('./start-system.js');
  const { screen } = await import('./screen.js');
  if (stopping) {
    await begun.giveUp();
    process.exit(0);
  }
  const onHopeless = (reason: string): void => {
    process.stderr.write(`${reason}\n`);
    end(1);
  };
  const system = await startSystem(process.env, onHopeless, begun);
  started(system);
  if (!stopping)
    process.stdout.write(
      screen(system.connection, {
        dataDir: system.dataDir,
        seconds: (performance.now() - began) / 1000,
        shape: 'one process',
      }),
    );
} catch (error) {
  const { explain } = await import('./explain.js');
  process.stderr.write(`${await explain(error)}\n`);
  process.exit(1);
}
