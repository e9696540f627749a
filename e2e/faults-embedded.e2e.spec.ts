import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shareOf } from '@kontor/testing';
import { freezing } from './faults/freeze.js';
import { reportHealing } from './faults/report.js';
import { type Fault, Jobs } from './faults/strike.js';
import { eventually } from './support/api.js';
import { invariants } from './support/invariants.js';
import { treeOf } from './support/processes.js';
import { SmallDisk } from './support/small-disk.js';
import { System } from './support/system.js';

const disk = SmallDisk.mount('2g');
let system: System;
let jobs: Jobs;

/** Where the database is may be noted in the data folder. */
const server = (): number => {
  const note = join(system.dataDir, 'postgres.location');
  const cluster = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(system.dataDir, 'postgres');
  const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  // While it is being written it is empty, and process 0 is everybody in our own group.
  if (!(pid > 0)) throw new Error('the server is only starting');
  return pid;
};

const FAULTS: readonly Fault[] = [
  { name: 'the process is killed', begin: () => system.kill(), end: () => system.start() },
  freezing('the process', () => [system.connection.pid]),
  { name: 'PostgreSQL is killed', begin: () => void process.kill(server(), 'SIGKILL'), end: () => undefined },
  freezing('PostgreSQL', () => treeOf(server())),
  {
    name: 'the process and PostgreSQL are killed',
    begin: () => {
      const pid = server();
      system.kill();
      process.kill(pid, 'SIGKILL');
    },
    end: () => system.start(),
  },
  ...(disk === undefined ? [] : [{ name: 'the disk is full', begin: () => disk.fill(), end: () => disk.makeRoom() }]),
];

describe('all that the system does, in one process, while a part of it fails', () => {
  beforeAll(async () => {
    const env = { WEBHOOK_RETRY_SECONDS: '1,2,4', RATE_LIMIT_SANDBOX: '1000000', RATE_LIMIT_ANONYMOUS: '1000000' };
    system = disk === undefined ? await System.embedded(env) : await System.embeddedIn(join(disk.folder, 'data'), env);
    jobs = new Jobs(system);
  });
  afterAll(async () => {
    await system?.stop();
    disk?.unmount();
  });

  it.each(shareOf(FAULTS, FAULTS.length / 3))('$name: everything comes through, once', async (fault) => {
    const seconds = await jobs.through(fault);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
    await eventually(
      'health says that all is well',
      async () => (await system.api.get('/health')).body.status === 'ready',
    );
    reportHealing(fault.name, seconds);
  });
});
