import './require-node.js';

// Asked to stop while starting: what was begun is finished first, so that no server is left behind. Everything else is
// loaded after this, because loading takes a while.
let stop: (() => Promise<void>) | undefined;
let stopping = false;
const end = (code: number): void => {
  if (stopping) return;
  stopping = true;
  void stop?.().then(() => process.exit(code));
};
process.on('SIGINT', () => end(0)).on('SIGTERM', () => end(0));

const began = performance.now();
const { explain } = await import('./explain.js');
try {
  const { startSystem } = await import('./start-system.js');
  const { screen } = await import('./screen.js');
  if (stopping) process.exit(0);
  const onHopeless = (reason: string): void => {
    process.stderr.write(`${reason}\n`);
    end(1);
  };
  const system = await startSystem(process.env, onHopeless);
  stop = () => system.stop();
  if (stopping) await stop().then(() => process.exit(0));
  process.stdout.write(
    screen(system.connection, {
      dataDir: system.dataDir,
      seconds: (performance.now() - began) / 1000,
      shape: 'one process',
    }),
  );
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
