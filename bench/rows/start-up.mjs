// `npm start` after installation: cold (empty data folder), warm (second start), and the memory of all its processes.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const memory = [];
  for (let round = 0; round < 5; round += 1) {
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
    { name: 'start-up, cold', measured: cold, goal: 10, unit: 's', lowerIsBetter: true },
    { name: 'start-up, warm', measured: warm, goal: 3, unit: 's', lowerIsBetter: true },
    {
      name: 'memory, all services and PostgreSQL, 3 s later',
      measured: memory,
      goal: 400,
      unit: 'MB',
      lowerIsBetter: true,
    },
  ];
}
