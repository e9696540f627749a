import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a running server wrote about itself. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** The server that runs on a cluster folder, or null: no file, or one that a crash left behind. */
export function readPostmasterPid(cluster: string): Postmaster | null {
  const lines = linesOf(join(cluster, 'postmaster.pid'));
  if (lines === null) return null;
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmaster(pid, cluster)) return null;
  const status = lines[7]?.trim();
  return { pid, port: Number(lines[3]), status: status === 'ready' || status === 'stopping' ? status : 'starting' };
}

/** Null where there is no such file; a server that ends removes it at any moment. */
function linesOf(file: string): string[] | null {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** True when the process lives and, where that can be seen, is a server on this folder and no stranger with a reused id. */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  if (!existsSync('/proc/self/cwd')) return true;
  return worksIn(String(pid), realpathSync(cluster));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes the pid file of a server that was killed. PostgreSQL does so itself, unless the id still exists: as a zombie that
 * nobody collects (a container without init) or as a stranger's (ids repeat after a restart). Its orphaned sessions end by
 * themselves within a moment; as long as one works in the folder, the file stays.
 */
export async function clearStalePidFile(cluster: string, timeoutMs: number): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file) || !existsSync('/proc/self/cwd')) return;
  const deadline = performance.now() + timeoutMs;
  while (someoneWorksIn(cluster)) {
    if (performance.now() > deadline) return;
    await sleep(50);
  }
  if (readPostmasterPid(cluster) === null) rmSync(file, { force: true });
}

function someoneWorksIn(folder: string): boolean {
  const real = realpathSync(folder);
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && worksIn(entry, real));
}

/** A server works in its cluster's folder, by whatever path that was named. */
function worksIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}
