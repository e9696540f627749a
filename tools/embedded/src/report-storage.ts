import type { StorageState } from '@kontor/persistence';
import type { Log } from '@kontor/service-kit';

/** Reports a full disk, and its end, in the log and as a line on the terminal. */
export const reportStorage =
  (log: Log, dataDir: string) =>
  ({ isFull, freeBytes, isRefused }: StorageState): void => {
    const why = isRefused ? ', so no inode is left, or a quota is used up' : '';
    const free = freeBytes === null ? '' : ` (${Math.floor(freeBytes / 1024 / 1024)} MB free${why})`;
    const line = isFull
      ? `The disk of ${dataDir} is full${free}: reading goes on, writes are refused until there is room.`
      : `There is room on the disk again${free}: writes are accepted.`;
    log.warn({ freeBytes }, line);
    process.stderr.write(`${line}\n`);
  };
