import { once } from 'node:events';
import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';

const LARGE_BYTES = 50_000_000;
const MAX_WAITING_BYTES = 4_000_000;
const CLOSE_MS = 1_000;

export interface LogFile {
  readonly stream: DestinationStream;
  /** Writes what is still in memory, as far as there is room for it. */
  close(): Promise<void>;
}

/** Log lines go to `<DATA_DIR>/kontor.log`, so that the start screen stays readable; errors to the terminal as well. */
export function openLogFile(dataDir: string): LogFile {
  const path = join(dataDir, 'kontor.log');
  if (existsSync(path) && statSync(path).size > LARGE_BYTES) renameSync(path, `${path}.1`);
  const file = pino.destination({
    dest: path,
    sync: false,
    minLength: 4096,
    maxLength: MAX_WAITING_BYTES,
    mode: 0o600,
  });
  const terminal = pino.destination(2);
  // A full disk must not end the process (the terminal may be a file, too): lines wait in memory up to a bound, later ones
  // are dropped until there is room.
  const streams: readonly NodeJS.EventEmitter[] = [file, terminal, process.stderr, process.stdout];
  for (const stream of streams) stream.on('error', () => undefined);
  const timer = setInterval(() => file.flush(), 500);
  timer.unref();
  return {
    stream: pino.multistream([
      { level: 'trace', stream: file },
      { level: 'error', stream: terminal },
    ]),
    // Not by flushSync, which on a full disk tries for ever, also when the process exits and the file is still open.
    close: async () => {
      clearInterval(timer);
      await Promise.race([new Promise<void>((resolve) => file.flush(() => resolve())), atMost(CLOSE_MS)]);
      const closed = once(file, 'close').catch(() => undefined);
      file.destroy();
      await Promise.race([closed, atMost(CLOSE_MS)]);
    },
  };
}

const atMost = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
