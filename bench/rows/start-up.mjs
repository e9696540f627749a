// `npm start` after installation: cold (empty data folder) beside `initdb` and the start of a bare server, warm (second start) beside the
// start of that server alone, each until it answers; and the memory of all its processes.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '@kontor/persistence';
import { memoryMb, SETTLED_MS, start, stop } from '../parts/system-process.mjs';

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
      goal: 2.5,
      unit: 's',
      lowerIsBetter: true,
    },
    {
      name: 'start-up, warm, beside a bare server',
      measured: warm,
      limit: bare.warm,
      goal: 4,
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
