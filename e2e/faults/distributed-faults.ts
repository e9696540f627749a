import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultProxy } from '@kontor/testing';
import { eventually } from '../support/api.js';
import { killService, pidsOf, treeOf } from '../support/processes.js';
import type { SmallDisk } from '../support/small-disk.js';
import type { System } from '../support/system.js';
import type { Clocks } from './clocks.js';
import { freezing } from './freeze.js';
import type { Fault } from './strike.js';
import type { Server, Surroundings } from './surroundings.js';

const APPS = [
  'api-gateway',
  'identity',
  'billing',
  'usage',
  'invoicing',
  'payments',
  'offers',
  'webhooks',
  'notifications',
];
const SLOW_MS = 150;
const CLOCKS_DIFFER_MS = 5 * 60_000;
/** Long enough for all of the work. */
const CLOCKS_DIFFER_FOR_MS = 20_000;
const DATABASE_FIRST_MS = 10_000;

export interface Distributed {
  readonly system: System;
  readonly around: Surroundings;
  readonly clocks: Clocks;
  /** Of the database and of the services' files. */
  readonly disk: SmallDisk | undefined;
  /** Between clients and the gateway. */
  readonly door: FaultProxy;
}

/** `of` is asked when a fault begins: the table is there before the system is. */
export function distributedFaults(of: () => Distributed, hasDisk: boolean): Fault[] {
  const servers: readonly [name: string, server: () => Server][] = [
    ['PostgreSQL', () => of().around.postgres],
    ['Kafka', () => of().around.kafka],
    ['Redis', () => of().around.redis],
  ];
  const links: readonly [name: string, link: () => FaultProxy][] = [
    ['clients and the gateway', () => of().door],
    ...servers.map(([name, server]): [string, () => FaultProxy] => [`services and ${name}`, () => server().link]),
  ];
  return [
    ...APPS.flatMap((app) => appFaults(app, () => of().system.dataDir)),
    ...servers.flatMap(([name, server]): Fault[] => [
      { name: `${name} is killed`, begin: () => server().kill(), end: () => server().start() },
      freezing(name, () => treeOf(server().pid())),
    ]),
    databaseBackFirst(() => of().around),
    ...links.flatMap(([name, link]) => linkFaults(name, link)),
    clocksDiffer(() => of().clocks),
    ...(hasDisk
      ? [{ name: 'the disk is full', begin: () => of().disk!.fill(), end: () => roomAgain(of()) } satisfies Fault]
      : []),
  ];
}

/** Services that have their database again look for where Kafka stands, while it still is away. */
function databaseBackFirst(around: () => Surroundings): Fault {
  return {
    name: 'PostgreSQL and Kafka are killed, and PostgreSQL is back first',
    begin: () => Promise.all([around().postgres.kill(), around().kafka.kill()]).then(() => undefined),
    end: async () => {
      await around().postgres.start();
      await sleep(DATABASE_FIRST_MS);
      await around().kafka.start();
    },
  };
}

function appFaults(app: string, dataDir: () => string): Fault[] {
  return [
    {
      name: `${app} is killed`,
      begin: () => killService(app, dataDir()),
      end: async () => void (await eventually(`${app} runs`, async () => pidsOf(app, dataDir()).length > 0)),
    },
    freezing(app, () => pidsOf(app, dataDir())),
  ];
}

function linkFaults(name: string, link: () => FaultProxy): Fault[] {
  const heal = (): void => link().heal();
  return [
    { name: `the link between ${name} is cut`, begin: () => link().refuse(), end: heal },
    { name: `the link between ${name} is slow`, begin: () => void (link().delayMs = SLOW_MS), end: heal },
    {
      name: `the link between ${name} swallows everything`,
      begin: () => link().blackhole(),
      // What was lost cannot be made up for on a connection that saw the loss.
      end: () => {
        link().cut();
        heal();
      },
    },
  ];
}

/** One app is minutes ahead, the next one minutes behind, so that neighbours differ by twice as much; then all are set right. */
function clocksDiffer(clocks: () => Clocks): Fault {
  const ahead = APPS.map((app, n): [string, number] => [app, n % 2 === 0 ? CLOCKS_DIFFER_MS : -CLOCKS_DIFFER_MS]);
  return {
    name: 'the clocks of the services differ by minutes',
    lastsMs: CLOCKS_DIFFER_FOR_MS,
    begin: () => clocks().set(Object.fromEntries(ahead)),
    end: () => clocks().set({}),
  };
}

/** A database without any room for its log ends; whoever makes room starts it again. */
async function roomAgain({ disk, around }: Distributed): Promise<void> {
  disk!.makeRoom();
  await around.postgres.start();
}
