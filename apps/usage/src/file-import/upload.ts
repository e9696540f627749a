import { createHash } from 'node:crypto';
import { DomainError } from '@kontor/kernel';
import type { Readable } from 'node:stream';
import type { ImportFormat } from './read-records.js';

/** A file on its way in. */
export interface Upload {
  readonly format: ImportFormat;
  /** Read once. */
  readonly bytes: AsyncIterable<Buffer>;
  /** What the file holds, as a digest; reads what nobody has read yet. */
  readonly digest: () => Promise<string>;
}

export function uploadOf(format: ImportFormat, stream: Readable): Upload {
  const hash = createHash('sha256').update(`${format}\n`);
  const bytes = chunksOf(stream, (chunk) => hash.update(chunk));
  const read = async (): Promise<string> => {
    for await (const _ of bytes);
    return hash.digest('base64url');
  };
  let digest: Promise<string> | undefined;
  return { format, bytes, digest: () => (digest ??= read()) };
}

/** Whoever stops reading early leaves the connection open for the answer; the rest is thrown away. */
async function* chunksOf(stream: Readable, see: (chunk: Buffer) => unknown): AsyncIterable<Buffer> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      see(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof DomainError ? error : new UploadInterrupted();
  } finally {
    stream.resume();
  }
}

/** The sender closed the connection before the file was complete. */
export class UploadInterrupted extends DomainError {
  constructor() {
    super('upload_interrupted', { kind: 'invalid', detail: 'The upload was interrupted.' });
  }
}
