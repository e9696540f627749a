import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal, ReplicaKind } from '@kontor/contracts';
import { EmbeddedBus } from '@kontor/messaging';
import {
  migrationsOf,
  type RunningService,
  type ServiceDefinition,
  ServiceDirectory,
  startService,
} from '@kontor/service-kit';
import { type Send, TestClient } from './test-client.js';
import { testDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.js';

export interface TestService extends Pick<TestDatabase, 'clock' | 'peek'> {
  readonly service: RunningService;
  readonly db: TestDatabase;
  readonly bus: EmbeddedBus;
  /** Calls the service over HTTP as the gateway would for this principal; null: without one. */
  as(principal: Principal | null): Send;
  /** Gives the service its copy of another service's object. */
  giveCopy(kind: ReplicaKind, tenantId: string, id: string, data: unknown, version?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface TestServiceOptions extends TestDatabaseOptions {
  readonly env?: Record<string, string>;
  readonly directory?: ServiceDirectory;
  readonly bus?: EmbeddedBus;
  /** Database of an earlier run, so that a service can be started again on it. */
  readonly db?: TestDatabase;
  /** Another way to the database, such as through a fault proxy. */
  readonly via?: (url: string) => Promise<string>;
}

const SECRETS_KEY = '11'.repeat(32);

/** A real service on a real database, with an in-process bus of its own, reached over real HTTP. */
export async function testService(
  definition: ServiceDefinition,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const db =
    options.db ??
    (await testDatabase(definition.name, migrationsOf(definition), definition.rows, {
      ...options,
      ingest: definition.ingest ?? false,
    }));
  const folder = mkdtempSync(join(tmpdir(), `kontor-${definition.name}-`));
  const bus = options.bus ?? new EmbeddedBus();
  const env = { KONTOR_SHAPE: 'embedded', LOG_LEVEL: 'error', SECRETS_KEY, DATA_DIR: folder, ...options.env };
  const service = await startService(definition, {
    port: 0,
    host: '127.0.0.1',
    bus,
    databaseUrls: {
      ownerUrl: db.ownerUrl,
      appUrl: (await options.via?.(db.appUrl)) ?? db.appUrl,
      ingestUrl: db.ingestUrl,
    },
    directory: options.directory ?? new ServiceDirectory(),
    env,
    clock: () => db.clock.now(),
  });
  const client = await TestClient.of(definition, service);
  return {
    service,
    db,
    bus,
    clock: db.clock,
    peek: (sql, params) => db.peek(sql, params),
    as: (principal) => client.as(principal),
    giveCopy: (kind, tenantId, id, data, version = 1) =>
      service.kit.database.tenant(
        tenantId,
        async (tx) => void (await service.kit.replicas.apply(tx, kind, id, version, data, false)),
      ),
    stop: async () => {
      await service.stop();
      await bus.close();
      if (!options.db) await db.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
