// A redis-server without containers, for the tests, `npm run stack` and the bench.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { freePort } from '../free-port.mjs';
import { spawnBound } from '../spawn-bound.mjs';

const run = promisify(execFile);
export const INSTALL_HINT = 'apt-get install -y redis-server';

/** Null when Redis can be started here, else what is missing. */
export const redisMissing = () =>
  run('redis-server', ['--version']).then(
    () => null,
    () => `redis-server is missing (${INSTALL_HINT})`,
  );

const ping = (port) =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const answer = (value) => {
      socket.destroy();
      done(value);
    };
    socket.setTimeout(500, () => answer(false));
    socket.on('data', (bytes) => answer(bytes.toString().startsWith('+PONG')));
    socket.on('error', () => answer(false));
  });

/**
 * Starts an in-memory Redis on loopback and waits until it answers.
 * @param {{ dataDir: string, port?: number }} options
 * @returns {Promise<{ url: string, port: number, pid: number, stop(): Promise<void> }>}
 */
export async function startRedis({ dataDir, port }) {
  const missing = await redisMissing();
  if (missing) throw new Error(missing);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const chosen = port ?? (await freePort());
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dataDir];
  const child = spawnBound('redis-server', args, { stdio: 'ignore', detached: true });
  const ended = new Promise((done) => child.once('exit', done));
  const cleanUp = () => child.kill('SIGKILL');
  process.once('exit', cleanUp);
  for (const deadline = Date.now() + 10_000; !(await ping(chosen));) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`redis-server does not answer on port ${chosen}`);
    await new Promise((wait) => setTimeout(wait, 30));
  }
  const stop = async () => {
    process.removeListener('exit', cleanUp);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  return { url: `redis://127.0.0.1:${chosen}`, port: chosen, pid: child.pid, stop };
}
