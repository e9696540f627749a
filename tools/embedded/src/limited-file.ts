import { existsSync, renameSync, statSync } from 'node:fs';
import { logDestination } from '@kontor/service-kit';

const LARGE_BYTES = 50_000_000;
const LOOK_MS = 60_000;

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

/** Log lines go to this file; a large one is set aside as `<path>.1`, in place of the one before. Looked at first, and every minute. */
export function openLimitedFile(
  path: string,
  { minLength = 0, largeBytes = LARGE_BYTES, lookMs = LOOK_MS }: LimitedFileOptions = {},
): LimitedFile {
  const setAside = (): boolean => {
    if (!existsSync(path) || statSync(path).size <= largeBytes) return false;
    renameSync(path, `${path}.1`);
    return true;
  };
  // A file system that became read-only must not end the process: the lines go on where they can.
  const setAsideLater = (): boolean => {
    try {
      return setAside();
    } catch {
      return false;
    }
  };
  setAside();
  const file = logDestination({ dest: path, minLength, mode: 0o600 });
  const look = setInterval(() => void (setAsideLater() && file.reopen()), lookMs);
  look.unref();
  return { file, endLooking: () => clearInterval(look) };
}
