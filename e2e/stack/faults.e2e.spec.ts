import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FaultProxy, shareOf } from '@kontor/testing';
import { Clocks } from '../faults/clocks.js';
import { type Distributed, distributedFaults } from '../faults/distributed-faults.js';
import { Healing } from '../faults/healing.js';
import { Jobs } from '../faults/strike.js';
import { Surroundings } from '../faults/surroundings.js';
import { eventually } from '../support/api.js';
import { invariants } from '../support/invariants.js';
import { describeOnKafka, hasKafka } from '../support/requirements.js';
import { SmallDisk } from '../support/small-disk.js';
import { System } from '../support/system.js';

const ENV = {
  WEBHOOK_RETRY_SECONDS: '1,2,4',
  RATE_LIMIT_SANDBOX: '1000000',
  RATE_LIMIT_SANDBOX_USAGE: '1000000',
  RATE_LIMIT_ANONYMOUS: '1000000',
};

describeOnKafka('all that the system does, as processes on Kafka, while a part of it fails', () => {
  const begun = new AsyncDisposableStack();
  let of: Distributed;
  let healing: Healing;

  beforeAll(async () => {
    const disk = SmallDisk.mount('3g');
    begun.defer(() => disk?.unmount());
    const around = await Surroundings.start(disk && join(disk.folder, 'database'));
    begun.defer(() => around.stop());
    const clocks = new Clocks();
    begun.defer(() => clocks.remove());
    const env = { ...ENV, ...around.env, ...clocks.env };
    const system = await (disk ? System.stackIn(join(disk.folder, 'data'), env) : System.stack([], env));
    begun.defer(() => system.stop());
    const { proxy: door, url } = await FaultProxy.inFrontOf(system.connection.baseUrl);
    begun.defer(() => door.close());
    system.connection.baseUrl = url.replace(/\/$/, '');
    of = { system, around, clocks, disk, door };
    healing = new Healing(new Jobs(system), async () => {
      const { code, output } = await invariants(system.dataDir, { DATABASE_ADMIN_URL: around.adminUrl });
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
      const health = async (): Promise<boolean> => (await system.api.get('/health')).body.status === 'ready';
      await eventually('health says that all is well', health);
    });
    await healing.measure();
  });
  afterAll(async () => {
    process.stderr.write(healing?.table() ?? '');
    await begun.disposeAsync();
  });

  const faults = distributedFaults(() => of, hasKafka && SmallDisk.canBe());
  it.each(shareOf(faults, Math.ceil(faults.length / 5)))('$name: everything comes through, once', (fault) =>
    healing.from(fault),
  );
});
