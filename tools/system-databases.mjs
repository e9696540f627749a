// The databases of the system whose data folder this is (DATA_DIR, default .data; or DATABASE_ADMIN_URL with SECRETS_KEY), for what operators
// run beside it.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Database, EmbeddedPostgres } from '@kontor/persistence';
import { databasePasswords, startAdvice } from '@kontor/service-kit';

export const dataDir = resolve(process.env.DATA_DIR || '.data');
const secret = process.env.SECRETS_KEY || read(join(dataDir, 'secrets.key'));
// Where no database was ever made, none is made here.
if (!process.env.DATABASE_ADMIN_URL && !existsSync(join(dataDir, 'postgres.password'))) refuse();
const server = process.env.DATABASE_ADMIN_URL ? undefined : new EmbeddedPostgres();

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return refuse();
  }
}

function refuse(line = `There is no system in ${dataDir}: set DATA_DIR, or DATABASE_ADMIN_URL and SECRETS_KEY.`) {
  console.error(line);
  process.exit(1);
}

process.once('SIGINT', () => void end(130)).once('SIGTERM', () => void end(143));
const adminUrl =
  process.env.DATABASE_ADMIN_URL ||
  (await server.start(dataDir).catch((error) => refuse(startAdvice(error) ?? error.stack))).adminUrl;

function appUrl(name) {
  const url = new URL(adminUrl);
  url.username = `kontor_${name}_app`;
  url.password = databasePasswords(secret, name).app;
  url.pathname = `/kontor_${name}`;
  return url.href;
}

/**
 * Connections end with this process, and the server ends what they were doing. The server is left as it was found: it is stopped where it was
 * started here and no system has begun to use it since. One that starts now waits until it is stopped.
 */
export async function end(code) {
  if (server?.pid !== undefined) {
    const { ConnectionFile } = await import('@kontor/embedded/connection-file');
    const folder = new ConnectionFile(dataDir);
    const isOurs = await folder.claim(0).then(
      () => true,
      () => false,
    );
    if (isOurs) {
      await server.stop();
      folder.remove();
    }
  }
  process.exit(code);
}

export const connect = (service, rows = []) =>
  Database.connect({ serviceName: service, appUrl: appUrl(service), rows });
