import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { isTraversable, type ServerUser, SYSTEM_FOLDER } from './server-user.js';
import { readPostmasterPid } from './postmaster.js';
import { PostgresStartError } from './server-process.js';

const NOTE = 'postgres.location';
const ORIGIN = 'data-dir';

/**
 * Folder that holds the cluster of a data folder: `<dataDir>/postgres`, or one below /var/lib/kontor when the server's user
 * could not reach that; then a note in the data folder says where.
 * @throws PostgresStartError where that cluster is another data folder's, or is gone.
 */
export function clusterFolder(dataDir: string, user: ServerUser | null): string {
  const note = join(dataDir, NOTE);
  if (existsSync(note)) return notedFolder(dataDir);
  const usual = join(dataDir, 'postgres');
  if (user === null || isTraversable(dataDir, user)) return usual;
  // Made when it could be reached: an empty one elsewhere would take its place.
  if (existsSync(join(usual, 'PG_VERSION')))
    throw new PostgresStartError(
      `${usual} cannot be reached by the user that PostgreSQL runs as, because root may not run it: move ${dataDir} to where that user ` +
        `(${user.uid}) may enter each folder, or start as another user than root.`,
    );
  forgetVanished();
  const base = join(SYSTEM_FOLDER, createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16));
  // A data folder that was emptied starts afresh; its former cluster is left alone.
  const folder = existsSync(base) ? `${base}-${randomBytes(4).toString('hex')}` : base;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, ORIGIN), resolve(dataDir));
  const cluster = join(folder, 'postgres');
  writeFileSync(note, `${cluster}\n`);
  return cluster;
}

/** Whoever copied a data folder has copied the note and not the cluster, which goes on being the other folder's. */
function notedFolder(dataDir: string): string {
  const cluster = noteOf(dataDir)!;
  const home = dirname(cluster);
  if (!existsSync(home))
    throw new PostgresStartError(
      `The database of ${dataDir} was in ${cluster}, which is gone: restore it, or name its place in ${join(dataDir, NOTE)}.`,
    );
  const origin = textOf(join(home, ORIGIN));
  if (origin === undefined || isSameFolder(origin, dataDir)) return cluster;
  if (noteOf(origin) === cluster)
    throw new PostgresStartError(
      `${dataDir} is a copy of ${origin}, but its database, ${cluster}, was not copied: ` +
        `copy that folder as well, while nothing runs on it, and name the copy in ${join(dataDir, NOTE)}.`,
    );
  // It was moved.
  writeFileSync(join(home, ORIGIN), resolve(dataDir));
  return cluster;
}

const noteOf = (dataDir: string): string | undefined => textOf(join(dataDir, NOTE));

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** By whatever path. */
function isSameFolder(first: string, second: string): boolean {
  if (!existsSync(first)) return false;
  const [a, b] = [statSync(first), statSync(second)];
  return a.dev === b.dev && a.ino === b.ino;
}

/** Clusters of temporary data folders (tests) that are gone go with them. Others are never touched. */
function forgetVanished(): void {
  if (!existsSync(SYSTEM_FOLDER)) return;
  for (const name of readdirSync(SYSTEM_FOLDER)) {
    const folder = join(SYSTEM_FOLDER, name);
    const origin = join(folder, ORIGIN);
    if (!existsSync(origin)) continue;
    const dataDir = readFileSync(origin, 'utf8');
    const temporary = dataDir.startsWith(resolve(tmpdir()) + sep);
    if (temporary && !existsSync(dataDir) && readPostmasterPid(join(folder, 'postgres')) === null)
      rmSync(folder, { recursive: true, force: true });
  }
}
