import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { isTraversable, type ServerUser, SYSTEM_FOLDER } from './server-user.js';
import { readPostmasterPid } from './postmaster.js';

const NOTE = 'postgres.location';
const ORIGIN = 'data-dir';

/**
 * Folder that holds the cluster of a data folder: `<dataDir>/postgres`, or one below /var/lib/kontor when the server's user
 * could not reach that; then a note in the data folder says where.
 */
export function clusterFolder(dataDir: string, user: ServerUser | null): string {
  const note = join(dataDir, NOTE);
  if (existsSync(note)) return readFileSync(note, 'utf8').trim();
  const usual = join(dataDir, 'postgres');
  if (user === null || isTraversable(dataDir, user)) return usual;
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
