import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigurationError } from './env-reader.js';

/**
 * Makes a folder usable and returns its absolute path: that files cannot be stored shows at the start, and not with the first of them.
 * @throws ConfigurationError when it cannot be made or written to.
 */
export function usableFolder(path: string): string {
  const folder = resolve(path);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigurationError(`${folder} cannot be written to: set DATA_DIR to a folder of yours.`);
  }
  return folder;
}

/** Step by step: Node's recursive way never returns where a file system refuses with ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another service on the same folder was faster.
    if (!existsSync(folder)) throw error;
  }
}
