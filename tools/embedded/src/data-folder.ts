import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A reason not to start that its reader can do something about: printed as one line, exit code 1. */
export class CannotStart extends Error {}

/**
 * Makes the data folder usable and returns its absolute path.
 * @throws CannotStart when it cannot be made or written to.
 */
export function openDataFolder(path: string): string {
  const folder = resolve(path);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new CannotStart(`${folder} cannot be written to: set DATA_DIR to a folder of yours.`);
  }
  return folder;
}

/** Step by step: Node's recursive way never returns where a file system refuses with ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** The key that encrypts secrets at rest: the environment's, else one made at the first start and kept in the data folder. */
export function secretsKey(folder: string, env: NodeJS.ProcessEnv): string {
  if (env['SECRETS_KEY']) return env['SECRETS_KEY'];
  const file = join(folder, 'secrets.key');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
