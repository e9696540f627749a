import { doorOf } from '@kontor/api-gateway/door';
import { EmbeddedPostgres } from '@kontor/persistence/postgres';
import { EnvReader } from '@kontor/service-kit/env-reader';
import { usableFolder } from '@kontor/service-kit/usable-folder';
import { ConnectionFile } from './connection-file.js';
import { secretsKey } from './data-folder.js';
import { refuseTakenPort } from './taken-port.js';

/** A start of which the folder and the port are its own, and whose PostgreSQL is on its way. */
export interface BegunStart {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly file: ConnectionFile;
  readonly secret: string;
  readonly postgres: EmbeddedPostgres;
  /** Resolves when it answers. */
  readonly server: Promise<{ adminUrl: string }>;
  /** Leaves nothing behind; may be called twice. */
  giveUp(): Promise<void>;
}

/**
 * What comes before everything else, and needs little of it: PostgreSQL starts in processes of its own while this one loads the
 * services. Both take seconds.
 * @throws CannotStart with one line that says what to do.
 */
export async function beginStart(env: NodeJS.ProcessEnv): Promise<BegunStart> {
  const host = env['HOST'] || '127.0.0.1';
  const port = new EnvReader(env).integer('PORT', 3000, { min: 1, max: 65_535 });
  const dataDir = usableFolder(env['DATA_DIR'] || '.data');
  const file = new ConnectionFile(dataDir);
  await file.claim();
  const secret = await checked(file, dataDir, env, { host, port }).catch((error: unknown) => {
    file.remove();
    throw error;
  });
  const postgres = new EmbeddedPostgres();
  const server = postgres.start(dataDir);
  const settled = server.then(ignore, ignore);
  await Promise.race([postgres.underWay, settled]);
  const giveUp = async (): Promise<void> => {
    file.withdraw();
    await settled;
    await postgres.stop();
    file.remove();
  };
  return { host, port, dataDir, file, secret, postgres, server, giveUp };
}

/** The secrets key, when all that can be refused without a server is as it should be. */
async function checked(
  file: ConnectionFile,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await refuseTakenPort(host, port);
  file.tenant();
  const secret = secretsKey(dataDir, env);
  doorOf({ ...env, SECRETS_KEY: secret });
  return secret;
}

const ignore = (): void => undefined;
