import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@kontor/service-kit';
import { type DestinationStream, pino } from 'pino';
import { CannotStart } from './data-folder.js';
import { LOG_MODE, openLimitedFile } from './limited-file.js';

const CLOSE_MS = 1_000;
/** What the log may still take of a full disk: the rest is for the database, which may have to recover. */
const SPARING_BYTES = 4_000_000;

export interface LogFile {
  readonly stream: DestinationStream;
  /** While the disk is full, lines beyond the first 4 MB are left out; then the file says how many. */
  spare(isFull: boolean): void;
  /** Writes what is still in memory, as far as there is room for it. */
  close(): Promise<void>;
}

/**
 * Log lines go to `<DATA_DIR>/kontor.log`, so that the start screen stays readable; errors to the terminal as well. A large
 * file is set aside as `kontor.log.1`, in place of the one before.
 * @throws CannotStart where it cannot be opened, such as a folder that a container's mount has made of its name.
 */
export function openLogFile(
  dataDir: string,
  {
    largeBytes,
    lookMs,
    sparingBytes = SPARING_BYTES,
  }: { largeBytes?: number; lookMs?: number; sparingBytes?: number } = {},
): LogFile {
  const path = join(dataDir, 'kontor.log');
  refuseUnwritable(path);
  const { file, endLooking } = openLimitedFile(path, { minLength: 4096, largeBytes, lookMs });
  const terminal = pino.destination(2);
  let isClosed = false;
  let allowedBytes = Infinity;
  let leftOut = 0;
  // The terminal may be a file on a full disk, too.
  const streams: readonly NodeJS.EventEmitter[] = [terminal, process.stderr, process.stdout];
  for (const stream of streams) stream.on('error', () => undefined);
  const timer = setInterval(() => file.flush(), 500);
  timer.unref();
  const write = (line: string): void => {
    // What a service that did not come up still has to say when all has ended is lost; it would end the process with a stack.
    if (isClosed) return;
    allowedBytes -= line.length;
    if (allowedBytes < 0) leftOut++;
    else file.write(line);
  };
  return {
    stream: pino.multistream([
      { level: 'trace', stream: { write } },
      { level: 'error', stream: terminal },
    ]),
    spare: (isFull) => {
      allowedBytes = isFull ? sparingBytes : Infinity;
      if (leftOut > 0)
        createLog('log', 'warn', { write }).warn({ leftOut }, 'lines were left out while the disk was full');
      leftOut = 0;
    },
    // Not by flushSync, which on a full disk tries for ever, also when the process exits and the file is still open.
    close: async () => {
      clearInterval(timer);
      endLooking();
      await Promise.race([new Promise<void>((resolve) => file.flush(() => resolve())), atMost(CLOSE_MS)]);
      isClosed = true;
      const closed = once(file, 'close').catch(() => undefined);
      file.destroy();
      await Promise.race([closed, atMost(CLOSE_MS)]);
    },
  };
}

/** A disk that is full is no reason: lines wait until there is room. */
function refuseUnwritable(path: string): void {
  try {
    closeSync(openSync(path, 'a', LOG_MODE));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT')
      throw new CannotStart(`${path} cannot be written to (${code}): move it away, or make it a file of yours.`);
  }
}

const atMost = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
