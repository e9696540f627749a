import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { access, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobReader } from './blob-reader.js';
import { ReadThread } from './read-thread.js';
import { StoreThread } from './store-thread.js';

/** True, or false for a file that is not there. */
const KNOWN = [
  () => true,
  (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return false;
    throw error;
  },
] as const;

/** Under which key bytes are stored: 64 lower-case hex digits. */
export const blobKeyOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes by their SHA-256, in a folder that all processes of a service share. Never changed, never in PostgreSQL. */
export class BlobStore {
  private readonly thread = new ReadThread();
  private readonly storing = new StoreThread();

  constructor(private readonly folder: string) {}

  /** Stores bytes durably and returns their key: 64 lower-case hex digits. The same bytes are stored once. */
  async put(bytes: Uint8Array): Promise<string> {
    const key = blobKeyOf(bytes);
    await this.storing.store(this.pathOf(key), bytes);
    return key;
  }

  /** @throws when the store has no such key. */
  async get(key: string): Promise<Buffer> {
    return readFile(this.pathOf(key));
  }

  /** The same, or undefined when the store has no such key. */
  async find(key: string): Promise<Buffer | undefined> {
    return this.get(key).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  /** Reads many at once. */
  openReader(): BlobReader {
    return new BlobReader(this.thread, (key) => this.pathOf(key));
  }

  /** The bytes piece by piece; the stream fails when the store has no such key. */
  read(key: string): ReadStream {
    return createReadStream(this.pathOf(key));
  }

  /** True when the store has the bytes, and they are those that were stored. */
  async holds(key: string): Promise<boolean> {
    const hash = createHash('sha256');
    try {
      for await (const piece of this.read(key)) hash.update(piece as Buffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    return hash.digest('hex') === key;
  }

  async has(key: string): Promise<boolean> {
    return access(this.pathOf(key)).then(
      () => true,
      () => false,
    );
  }

  /**
   * Removes bytes that nobody needs any more, unless somebody stored them again after `since`. Whoever calls it has made sure, later than
   * that, that nothing refers to them. False when they stay.
   */
  async remove(key: string, since: Date): Promise<boolean> {
    const path = this.pathOf(key);
    const aside = `${path}.${randomUUID()}`;
    // Whoever stores them from here on does not find them, and writes them anew.
    if (!(await rename(path, aside).then(...KNOWN))) return true;
    if ((await stat(aside)).mtimeMs < since.getTime()) {
      await unlink(aside);
      return true;
    }
    await rename(aside, path);
    return false;
  }

  private pathOf(key: string): string {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new Error('a blob key is 64 hex digits');
    return join(this.folder, key.slice(0, 2), key.slice(2, 4), key);
  }
}
