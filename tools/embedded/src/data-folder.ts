import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A reason not to start that its reader can do something about: printed as one line, exit code 1. */
export class CannotStart extends Error {}

/** The key that encrypts secrets at rest: the environment's, else one made at the first start and kept in the data folder. */
export function secretsKey(folder: string, env: NodeJS.ProcessEnv): string {
  if (env['SECRETS_KEY']) return env['SECRETS_KEY'];
  const file = join(folder, 'secrets.key');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
