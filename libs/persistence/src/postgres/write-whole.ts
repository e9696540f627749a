import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a small file for its owner alone, complete or not at all: an empty one, as a full disk or a power cut would leave it, looks like
 * one that somebody has damaged.
 */
export function writeWhole(file: string, text: string): void {
  const partial = `${file}.partial`;
  try {
    writeFileSync(partial, text, { mode: 0o600, flush: true });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * What a file holds that is made once; undefined when it is there and empty.
 * `make` gives its content where it is missing.
 */
export function madeOnce(file: string, make: () => string): string | undefined {
  if (!existsSync(file)) writeWhole(file, make());
  return readFileSync(file, 'utf8').trim() || undefined;
}

/** One line for whoever starts the system. */
export const emptyFile = (file: string): string =>
  `${file} is empty: restore it, or remove it where this folder has never been started to the end.`;
