// The databases of the system whose data folder this is (DATA_DIR, default .data; or DATABASE_ADMIN_URL with SECRETS_KEY), for what operators
// run beside it.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Database, EmbeddedPostgres } from '@kontor/persistence';
import { databasePasswords, EnvReader, startAdvice } from '@kontor/service-kit';

/** The embedded one, where nobody named another. */
let server;
let ends = false;
process.on('uncaughtException', (error) => {
  // What fails while this ends adds nothing: a start that is stopped on its way fails, too.
  if (ends) return;
  console.error(adviceOn(error) ?? error.stack);
  void end(1);
});

export const dataDir = resolve(process.env.DATA_DIR || '.data');
const givenUrl = new EnvReader(process.env).databaseUrl('DATABASE_ADMIN_URL');
// Where no database was ever made, none is made here.
if (!givenUrl && !existsSync(join(dataDir, 'postgres.password')))
  refuse(`There is no system in ${dataDir}: set DATA_DIR, or DATABASE_ADMIN_URL and SECRETS_KEY.`);
const secret = process.env.SECRETS_KEY || keyIn(join(dataDir, 'secrets.key'));
if (!givenUrl) server = new EmbeddedPostgres();

function keyIn(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    return refuse(`The secrets key cannot be read (${error.code}) from ${file}: set the SECRETS_KEY of this system.`);
  }
}

function refuse(line) {
  console.error(line);
  process.exit(1);
}

process.once('SIGINT', () => void end(130)).once('SIGTERM', () => void end(143));
const adminUrl = givenUrl ?? (await server.start(dataDir)).adminUrl;

function appUrl(name) {
  const url = new URL(adminUrl);
  url.username = `kontor_${name}_app`;
  url.password = databasePasswords(secret, name).app;
  url.pathname = `/kontor_${name}`;
  return url.href;
}

/** The services' passwords follow from the key: that one is refused says that the key is another. */
function adviceOn(error) {
  if (error.code !== '28P01') return startAdvice(error);
  return 'The databases refuse the passwords that follow from the secrets key: set the SECRETS_KEY of this system, or none where secrets.key has it.';
}

/**
 * Connections end with this process, and the server ends what they were doing. The server is left as it was found: it is stopped where it was
 * started here and no system has begun to use it since. One that starts now waits until it is stopped.
 */
export async function end(code) {
  ends = true;
  try {
    if (server?.pid !== undefined) await leaveServer();
  } finally {
    process.exit(code);
  }
}

async function leaveServer() {
  const { ConnectionFile } = await import('@kontor/embedded/connection-file');
  const folder = new ConnectionFile(dataDir);
  const isOurs = await folder.claim(0).then(
    () => true,
    () => false,
  );
  if (!isOurs) return;
  await server.stop();
  folder.remove();
}

export const connect = (service, rows = []) =>
  Database.connect({ serviceName: service, appUrl: appUrl(service), rows });
