import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@kontor/persistence';

/** Set for the workers of a run: where the run's PostgreSQL is. */
export const TEST_POSTGRES_URL = 'KONTOR_TEST_POSTGRES_URL';

const RUNNING = Symbol.for('kontor.test-postgres');

interface Running {
  readonly server: EmbeddedPostgres;
  readonly folder: string;
}

/** jest's globalSetup: one PostgreSQL for the whole run, unless the caller already has one. */
export default async function start(): Promise<void> {
  if (process.env[TEST_POSTGRES_URL]) return;
  const folder = mkdtempSync(join(tmpdir(), 'kontor-jest-'));
  const server = new EmbeddedPostgres({ durable: false });
  process.env[TEST_POSTGRES_URL] = (await server.start(folder)).adminUrl;
  (globalThis as Record<symbol, unknown>)[RUNNING] = { server, folder } satisfies Running;
}

/** Ends what `start` began. */
export async function stop(): Promise<void> {
  const running = (globalThis as Record<symbol, unknown>)[RUNNING] as Running | undefined;
  if (!running) return;
  await running.server.stop();
  rmSync(running.folder, { recursive: true, force: true });
  delete process.env[TEST_POSTGRES_URL];
}
