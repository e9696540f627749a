import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { emptyFile, madeOnce } from '@kontor/persistence/postgres';

/** A reason not to start that its reader can do something about: printed as one line, exit code 1. */
export class CannotStart extends Error {}

/**
 * The key that encrypts secrets at rest: the environment's, else one made at the first start and kept in the data folder.
 * @throws CannotStart when that one is empty.
 */
export function secretsKey(folder: string, env: NodeJS.ProcessEnv): string {
  if (env['SECRETS_KEY']) return env['SECRETS_KEY'];
  const file = join(folder, 'secrets.key');
  const key = madeOnce(file, () => `${randomBytes(32).toString('hex')}\n`);
  if (key === undefined) throw new CannotStart(emptyFile(file));
  return key;
}
