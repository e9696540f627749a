import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';

const LARGE_BYTES = 50_000_000;

export interface LogFile {
  readonly stream: DestinationStream;
  /** Writes what is still in memory. */
  flush(): void;
}

/** Log lines go to `<DATA_DIR>/kontor.log`, so that the start screen stays readable; errors to the terminal as well. */
export function openLogFile(dataDir: string): LogFile {
  const path = join(dataDir, 'kontor.log');
  if (existsSync(path) && statSync(path).size > LARGE_BYTES) renameSync(path, `${path}.1`);
  const file = pino.destination({ dest: path, sync: false, minLength: 4096, mode: 0o600 });
  const timer = setInterval(() => file.flush(), 500);
  timer.unref();
  return {
    stream: pino.multistream([
      { level: 'trace', stream: file },
      { level: 'error', stream: pino.destination(2) },
    ]),
    flush: () => {
      clearInterval(timer);
      try {
        file.flushSync();
      } catch {
        // Never opened: nothing was written.
      }
    },
  };
}
