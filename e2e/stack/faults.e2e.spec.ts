import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FaultProxy, howMany, shareOf } from '@kontor/testing';
import { type Distributed, distributedFaults } from '../faults/distributed-faults.js';
import { NO_FAULT, reportHealing } from '../faults/report.js';
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
/** CI tries one of these; `npm run test:long` tries all that there are. */
const COMES_THROUGH = [
  'api-gateway is killed',
  'api-gateway stands still',
  'identity is killed',
  'identity stands still',
  'billing is killed',
  'billing stands still',
  'usage is killed',
  'usage stands still',
  'invoicing is killed',
  'invoicing stands still',
  'payments is killed',
  'payments stands still',
  'offers is killed',
  'webhooks is killed',
  'notifications is killed',
  'PostgreSQL is killed',
  'PostgreSQL stands still',
  'Kafka is killed',
  'Kafka stands still',
  'Redis is killed',
  'Redis stands still',
  'the link between clients and the gateway is cut',
  'the link between clients and the gateway is slow',
  'the link between clients and the gateway swallows everything',
  'the link between services and PostgreSQL is cut',
  'the link between services and PostgreSQL is slow',
  'the link between services and PostgreSQL swallows everything',
  'the link between services and Kafka is cut',
  'the link between services and Kafka is slow',
  'the link between services and Kafka swallows everything',
  'the link between services and Redis is cut',
  'the link between services and Redis is slow',
  'the link between services and Redis swallows everything',
  'the disk is full',
];

describeOnKafka('all that the system does, as processes on Kafka, while a part of it fails', () => {
  const disk = hasKafka ? SmallDisk.mount('3g') : undefined;
  let around: Surroundings | undefined;
  let of: Distributed;
  let jobs: Jobs;

  beforeAll(async () => {
    around = await Surroundings.start(disk && join(disk.folder, 'database'));
    const env = { ...ENV, ...around.env };
    const system = await (disk ? System.stackIn(join(disk.folder, 'data'), env) : System.stack([], env));
    const { proxy: door, url } = await FaultProxy.inFrontOf(system.connection.baseUrl);
    system.connection.baseUrl = url.replace(/\/$/, '');
    of = { system, around, disk, door };
    jobs = new Jobs(system);
  });
  afterAll(async () => {
    await of?.door.close();
    await of?.system.stop();
    await around?.stop();
    disk?.unmount();
  });

  const all = distributedFaults(() => of, disk !== undefined);
  const faults = howMany(0, 1)
    ? [NO_FAULT, ...all]
    : shareOf(
        all.filter(({ name }) => COMES_THROUGH.includes(name)),
        1,
      );

  it.each(faults)('$name: everything comes through, once', async (fault) => {
    const seconds = await jobs.through(fault);
    const { system } = of;
    const { code, output } = await invariants(system.dataDir, { DATABASE_ADMIN_URL: of.around.adminUrl });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
    const health = async (): Promise<boolean> => (await system.api.get('/health')).body.status === 'ready';
    await eventually('health says that all is well', health);
    reportHealing(fault.name, seconds);
  });
});
