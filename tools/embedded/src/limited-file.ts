import { closeSync, existsSync, fstatSync, openSync, renameSync, statSync } from 'node:fs';
import { logDestination } from '@kontor/service-kit';

const LARGE_BYTES = 50_000_000;
const LOOK_MS = 60_000;
export const LOG_MODE = 0o600;

export interface LimitedFileOptions {
  readonly minLength?: number;
  readonly largeBytes?: number | undefined;
  readonly lookMs?: number | undefined;
}

/** A file of log lines, and what ends looking at its size. */
export interface LimitedFile {
  readonly file: ReturnType<typeof logDestination>;
  endLooking(): void;
}

/**
 * Log lines go to this file; a large one is set aside as `<path>.1`, in place of the one before. Looked at first, and every minute: where
 * somebody moved or removed it, as programs do that rotate logs, a new one is begun.
 */
export function openLimitedFile(
  path: string,
  { minLength = 0, largeBytes = LARGE_BYTES, lookMs = LOOK_MS }: LimitedFileOptions = {},
): LimitedFile {
  const setAside = (): boolean => {
    if (!existsSync(path) || statSync(path).size <= largeBytes) return false;
    renameSync(path, `${path}.1`);
    return true;
  };
  setAside();
  const file = logDestination({ dest: path, minLength, mode: LOG_MODE });
  const wantsNew = (): boolean => setAside() || (isElsewhere(path, file.fd) && canBeMade(path));
  const look = setInterval(() => void (unlessRefused(wantsNew) && file.reopen()), lookMs);
  look.unref();
  return { file, endLooking: () => clearInterval(look) };
}

/** A file system that became read-only must not end the process: the lines go on where they can. */
function unlessRefused(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

/** What is written to a file without its name nobody reads, and it grows without an end. */
function isElsewhere(path: string, fd: number): boolean {
  const [open, named] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })];
  return named?.ino !== open.ino || named.dev !== open.dev;
}

/** Each attempt that fails would close the old file once more when one succeeds. */
function canBeMade(path: string): boolean {
  closeSync(openSync(path, 'a', LOG_MODE));
  return true;
}
