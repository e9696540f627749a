import type { ReadThread } from './read-thread.js';

/** Where the bytes of a blob are wanted; whoever wants them knows how many there are. */
export interface WantedBlob {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** One piece with the bytes of all of them, and the CRC-32 of each. */
export interface ReadBlobs {
  readonly bytes: Buffer;
  readonly sums: readonly number[];
}

/** Reads blobs by the dozen; whoever has opened it closes it. */
export class BlobReader {
  constructor(
    private readonly thread: ReadThread,
    private readonly pathOf: (key: string) => string,
  ) {
    thread.open();
  }

  /** @throws when the store has no such key, or fewer bytes. */
  async read(length: number, wanted: readonly WantedBlob[]): Promise<ReadBlobs> {
    const files = wanted.map(({ key, start, end }) => ({ path: this.pathOf(key), start, end }));
    const { bytes, sums } = await this.thread.read({ length, files });
    return { bytes: Buffer.from(bytes.buffer), sums };
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
