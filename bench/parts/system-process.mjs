// The system as a process of its own, where its PostgreSQL server is, and the memory that both take.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/free-port.mjs';

/** What starting has left behind is collected within it. */
export const SETTLED_MS = 3000;

const EMBEDDED = ['--max-semi-space-size=8', 'tools/embedded/dist/main.js'];
/** A process a service, on Kafka: what `npm run stack` starts. */
export const STACK = ['tools/stack/main.mjs'];

/** Starts it as `npm start` does; resolves when it answers, to the process, the seconds and how to reach it. */
export async function start(dataDir, env = {}, program = EMBEDDED) {
  const port = await freePort();
  const connection = join(dataDir, 'connection.json');
  rmSync(connection, { force: true });
  const began = performance.now();
  const child = spawn(process.execPath, program, {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), NODE_OPTIONS: '', ...env },
    stdio: 'ignore',
  });
  while (!existsSync(connection)) {
    if (child.exitCode !== null) throw new Error(`the system ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const seconds = (performance.now() - began) / 1000;
  return { child, seconds, connection: JSON.parse(readFileSync(connection, 'utf8')) };
}

/** Ends it and waits until it has. */
export const stop = (child) =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });

/** Lines of its postmaster's pid file: the process id first, the port as the fourth. */
function postmasterOf(dataDir) {
  const note = join(dataDir, 'postgres.location');
  const cluster = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
  return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
}

/** The PostgreSQL server of a data folder, as its administrator. */
export function adminUrlOf(dataDir) {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
  return `postgres://kontor_admin:${password}@127.0.0.1:${postmasterOf(dataDir)[3]}/postgres`;
}

/** Process ids of the PostgreSQL server of a data folder: its postmaster and what that has started. */
function serverOf(dataDir) {
  const [postmaster] = postmasterOf(dataDir);
  const isOwn = (name) => {
    try {
      return (
        name === postmaster ||
        readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1).split(' ')[1] === postmaster
      );
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOwn(name));
}

/** Proportional set size (shared pages counted once) of a process and its PostgreSQL server, in MB. */
export function memoryMb(pid, dataDir) {
  let kilobytes = 0;
  for (const name of [String(pid), ...serverOf(dataDir)]) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process ended meanwhile.
    }
  }
  return kilobytes / 1024;
}
