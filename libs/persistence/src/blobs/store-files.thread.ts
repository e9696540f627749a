import { randomUUID } from 'node:crypto';
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';

/** Bytes to be kept in a file whose name is their digest. */
export interface StoreJob {
  readonly id: number;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What went wrong, if anything: an error loses its code on its way between threads. */
export interface StoreAnswer {
  readonly id: number;
  readonly failed?: { readonly message: string; readonly code: string | undefined };
}

const flush = promisify(fsync);

parentPort?.on('message', (job: StoreJob) => {
  const post = (answer: StoreAnswer): void => parentPort?.postMessage(answer);
  store(job).then(
    () => post({ id: job.id }),
    ({ message, code }: NodeJS.ErrnoException) => post({ id: job.id, failed: { message, code } }),
  );
});

/** Folders that were made and whose names are on their way to the disk. */
const newFolders = new Map<string, Promise<void>>();

/** Flushing alone is waited for beside others: the rest takes microseconds. */
async function store({ path, bytes }: StoreJob): Promise<void> {
  if (!touch(path)) await write(path, bytes);
  // A power cut takes a name that only its folder in memory has, also where somebody else gave it a moment ago.
  const folder = dirname(path);
  await Promise.all([flushFolder(folder), ...namesOnTheirWay(folder)]);
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const file = create(temporary);
  try {
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      await flush(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    // A disk that is full would be fuller with each attempt.
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Notes that the bytes are stored once more. False when they are not there. */
function touch(path: string): boolean {
  const now = new Date();
  return unlessMissing(() => utimesSync(path, now, now)) !== MISSING;
}

/** Its folder is there after the first few files. */
function create(path: string): number {
  const open = (): number => openSync(path, 'wx', 0o640);
  const file = unlessMissing(open);
  if (file !== MISSING) return file;
  makeFolder(dirname(path));
  return open();
}

/** Step by step: Node's recursive way says of a file system that takes no writes that something is missing. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  isFolder(folder);
}

function isFolder(folder: string): boolean {
  try {
    const isMade = unlessMissing(() => mkdirSync(folder)) !== MISSING;
    if (isMade) keepName(folder);
    return isMade;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true;
    throw error;
  }
}

function keepName(folder: string): void {
  const kept = flushFolder(dirname(folder)).finally(() => newFolders.delete(folder));
  newFolders.set(folder, kept);
  // Whoever stores something in it learns of it.
  kept.catch(() => undefined);
}

function namesOnTheirWay(folder: string): readonly Promise<void>[] {
  const parent = dirname(folder);
  const name = newFolders.get(folder);
  return [...(name ? [name] : []), ...(parent === folder ? [] : namesOnTheirWay(parent))];
}

/** What a file system that flushes no folders says, or a system that opens none. */
const NOT_FLUSHED = new Set(['EINVAL', 'EBADF', 'EISDIR', 'EPERM']);

/** Makes the names in it durable. */
async function flushFolder(folder: string): Promise<void> {
  try {
    const opened = openSync(folder, 'r');
    await flush(opened).finally(() => closeSync(opened));
  } catch (error) {
    if (!NOT_FLUSHED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const MISSING = Symbol('missing');

function unlessMissing<T>(work: () => T): T | typeof MISSING {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return MISSING;
    throw error;
  }
}
