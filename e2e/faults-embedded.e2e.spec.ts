import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shareOf } from '@kontor/testing';
import { freezing } from './faults/freeze.js';
import { Healing } from './faults/healing.js';
import { type Fault, Jobs } from './faults/strike.js';
import { eventually } from './support/api.js';
import { invariants } from './support/invariants.js';
import { postgresServer } from './support/postgres-server.js';
import { treeOf } from './support/processes.js';
import { SmallDisk } from './support/small-disk.js';
import { System } from './support/system.js';

const begun = new AsyncDisposableStack();
let disk: SmallDisk | undefined;
let system: System;
let healing: Healing;

const server = (): number => {
  const running = postgresServer(system.dataDir);
  if (!running) throw new Error('the server is only starting');
  return running.pid;
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
  ...(SmallDisk.canBe()
    ? [{ name: 'the disk is full', begin: () => disk!.fill(), end: () => disk!.makeRoom() } satisfies Fault]
    : []),
];

/** A fault that was not come through may leave a server without its parent. */
function endServer(): void {
  try {
    process.kill(server(), 'SIGKILL');
  } catch {
    // It has ended with the system.
  }
}

describe('all that the system does, in one process, while a part of it fails', () => {
  beforeAll(async () => {
    const env = { WEBHOOK_RETRY_SECONDS: '1,2,4', RATE_LIMIT_SANDBOX: '1000000', RATE_LIMIT_ANONYMOUS: '1000000' };
    disk = SmallDisk.mount('2g');
    begun.defer(() => disk?.unmount());
    system = disk === undefined ? await System.embedded(env) : await System.embeddedIn(join(disk.folder, 'data'), env);
    begun.defer(async () => {
      await system.end();
      endServer();
      await system.stop();
    });
    healing = new Healing(new Jobs(system), async () => {
      expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
      const health = async (): Promise<boolean> => (await system.api.get('/health')).body.status === 'ready';
      await eventually('health says that all is well', health);
    });
    await healing.measure();
  });
  afterAll(async () => {
    process.stderr.write(healing?.table() ?? '');
    await begun.disposeAsync();
  });

  it.each(shareOf(FAULTS, Math.ceil(FAULTS.length / 5)))('$name: everything comes through, once', (fault) =>
    healing.from(fault),
  );
});
