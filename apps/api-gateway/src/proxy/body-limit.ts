import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { DomainError } from '@kontor/kernel';

const MIB = 1024 * 1024;
/** Bodies up to this size are held until the service has answered, so that another replica can be asked. */
const HELD_BYTES = 256 * 1024;

/** Takes files of any size: its body is never held, and lasts as long as it lasts. */
const isUpload = (path: string): boolean => path === '/api/usage-events/import';

/** Bytes that an operation takes. @see decisions.md §1 "Errors" 413 */
export function bodyLimitOf(path: string, contentType: string | undefined): number {
  if (isUpload(path)) return Infinity;
  if (contentType?.startsWith('multipart/form-data')) return 20 * MIB;
  return (path.startsWith('/api/usage-events') ? 10 : 5) * MIB;
}

export const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', { status: 413, detail: `The body may have at most ${limit / MIB} MiB here.` });

/** Counts a body whose length was not announced and ends it with 413 when it is too large. */
class CountedBody extends Transform {
  private bytes = 0;

  constructor(private readonly limit: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limit) done(tooLarge(this.limit));
    else done(null, chunk);
  }
}

/**
 * A body on its way to a service: small ones as bytes, others as a stream that nobody here reads.
 * @throws DomainError 413 `payload_too_large`
 */
export async function takeBody(payload: IncomingMessage, path: string): Promise<Buffer | NodeJS.ReadableStream | undefined> {
  const { 'content-length': announced, 'content-type': contentType, 'transfer-encoding': chunked } = payload.headers;
  if (announced === undefined && chunked === undefined) return undefined;
  const limit = bodyLimitOf(path, contentType);
  if (announced === undefined) {
    const counted = new CountedBody(limit);
    payload.once('error', (error) => counted.destroy(error));
    return payload.pipe(counted);
  }
  const length = Number(announced);
  if (length > limit) throw tooLarge(limit);
  return length > HELD_BYTES ? payload : hold(payload);
}

async function hold(payload: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of payload) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
