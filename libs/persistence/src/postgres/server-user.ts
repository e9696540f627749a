import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Who runs the server when this process is root, which PostgreSQL refuses to be. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Where clusters and binaries go that the server's user could not reach elsewhere. */
export const SYSTEM_FOLDER = '/var/lib/kontor';

/** The user to run the server as; null: as the one who runs this process. */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = new Map<string, ServerUser>();
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [name, , uid, gid] = line.split(':');
      if (name && uid && gid) users.set(name, { uid: Number(uid), gid: Number(gid) });
    }
  } catch {
    // No user database: numeric ids work as well.
  }
  return users.get('postgres') ?? users.get('nobody') ?? { uid: 65534, gid: 65534 };
}

/** Whether a user can walk down to `path`: every folder on the way needs its execute bit. */
export function isTraversable(path: string, user: ServerUser): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const bits = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
    if ((bits & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
