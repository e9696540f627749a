import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of an embedded system's cluster: below its data folder, or where the note there says. */
export function clusterOf(dataDir: string): string {
  const note = join(dataDir, 'postgres.location');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
}

/** What an embedded system's server wrote about itself; null as long as it has not, and once it has ended. */
export function postgresServer(dataDir: string): { pid: number; port: number } | null {
  const lines = linesOf(join(clusterOf(dataDir), 'postmaster.pid'));
  const pid = Number(lines[0]);
  // While the file is being written it is empty, and process 0 is everybody in our own group.
  return pid > 0 ? { pid, port: Number(lines[3]) } : null;
}

/** A server that ends removes the file at any moment, also between a look and the reading. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}
