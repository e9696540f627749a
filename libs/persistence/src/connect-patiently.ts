import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

/** How long a start waits for a server that accepts connections but does not answer. */
const START_PATIENCE_MS = 60_000;
/** A server that starts or stops refuses at once. */
const PAUSE_MS = 250;
const CANNOT_CONNECT_NOW = '57P03';

/** A server that is busy, with its recovery or with others, answers late: a start waits for it, a running process does not. */
export async function connectPatiently(dataSource: DataSource): Promise<void> {
  const givesUpAt = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      await dataSource.initialize();
      return;
    } catch (error) {
      if (!isBusyServer(error) || performance.now() > givesUpAt) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

const isBusyServer = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return code === CANNOT_CONNECT_NOW || /\btimeout\b/.test(message ?? '');
};
