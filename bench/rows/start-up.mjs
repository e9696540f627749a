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

/** Proportional set size (shared pages counted once) of a process and everything PostgreSQL runs for this data folder, in MB. */
function memoryMb(pid, dataDir) {
  let kilobytes = 0;
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const postmaster = processes.filter((name) => {
    try {
      return (
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('postgres') &&
        readFileSync(`/proc/${name}/environ`, 'utf8').includes(dataDir)
      );
    } catch {
      return false;
    }
  });
  for (const name of new Set([String(pid), ...postmaster])) {
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
    memory.push(memoryMb(second.child.pid, dataDir));
    await stop(second.child);
    rmSync(dataDir, { recursive: true, force: true });
  }
  return [
    { name: 'start-up, cold', measured: cold, goal: 10, unit: 's', lowerIsBetter: true },
    { name: 'start-up, warm', measured: warm, goal: 3, unit: 's', lowerIsBetter: true },
    { name: 'memory, all services', measured: memory, goal: 400, unit: 'MB', lowerIsBetter: true },
  ];
}
