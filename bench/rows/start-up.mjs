// `npm start` after installation: cold (empty data folder) beside `initdb` and the start of a bare server, warm (second start) beside the
// start of that server alone, each until it answers; and the memory of all its processes.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '@kontor/persistence';
import { freePort } from '../../tools/free-port.mjs';

async function start(dataDir) {
  const port = await freePort();
  const connection = join(dataDir, 'connection.json');
  rmSync(connection, { force: true });
  const began = performance.now();
  const child = spawn(process.execPath, ['tools/embedded/dist/main.js'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), NODE_OPTIONS: '' },
    stdio: 'ignore',
  });
  while (!existsSync(connection)) {
    if (child.exitCode !== null) throw new Error(`the system ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { child, seconds: (performance.now() - began) / 1000 };
}

const stop = (child) =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });

/** Seconds of PostgreSQL alone, in a folder of its own: made and started, and started again. */
async function bareServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const seconds = [];
  for (let start = 0; start < 2; start += 1) {
    const server = new EmbeddedPostgres();
    const began = performance.now();
    await server.start(dataDir);
    seconds.push((performance.now() - began) / 1000);
    await server.stop();
  }
  const note = join(dataDir, 'postgres.location');
  if (existsSync(note)) rmSync(dirname(readFileSync(note, 'utf8').trim()), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
  return seconds;
}

const SETTLED_MS = 3000;

/** Process ids of the PostgreSQL server of a data folder: its postmaster and what that has started. */
function serverOf(dataDir) {
  const note = join(dataDir, 'postgres.location');
  const cluster = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
  const postmaster = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n', 1)[0];
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
function memoryMb(pid, dataDir) {
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

export async function run() {
  const cold = [];
  const warm = [];
  const bare = { cold: [], warm: [] };
  const memory = [];
  for (let round = 0; round < 5; round += 1) {
    const [made, started] = await bareServer();
    bare.cold.push(made);
    bare.warm.push(started);
    const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
    const first = await start(dataDir);
    cold.push(first.seconds);
    await stop(first.child);
    const second = await start(dataDir);
    warm.push(second.seconds);
    // What starting has left behind is collected within seconds.
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    memory.push(memoryMb(second.child.pid, dataDir));
    await stop(second.child);
    rmSync(dataDir, { recursive: true, force: true });
  }
  return [
    {
      name: 'start-up, cold, beside initdb and a bare server',
      measured: cold,
      limit: bare.cold,
      goal: 5,
      unit: 's',
      lowerIsBetter: true,
    },
    {
      name: 'start-up, warm, beside a bare server',
      measured: warm,
      limit: bare.warm,
      goal: 12,
      unit: 's',
      lowerIsBetter: true,
    },
    {
      name: 'memory, all services and PostgreSQL, 3 s later',
      measured: memory,
      goal: 400,
      unit: 'MB',
      lowerIsBetter: true,
    },
  ];
}
