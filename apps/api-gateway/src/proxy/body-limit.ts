import { Transform, type TransformCallback } from 'node:stream';
import { DomainError } from '@kontor/kernel';

const MIB = 1024 * 1024;

/** Bytes that an operation takes. @see decisions.md §1 "Errors" 413 */
export function bodyLimitOf(path: string, contentType: string | undefined): number {
  if (contentType?.startsWith('multipart/form-data')) return 20 * MIB;
  if (path.startsWith('/api/usage-events/import')) return Number.MAX_SAFE_INTEGER;
  return (path.startsWith('/api/usage-events') ? 10 : 5) * MIB;
}

export const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', { status: 413, detail: `The body may have at most ${limit / MIB} MiB here.` });

/** Counts a body whose length was not announced and ends it with 413 when it is too large. */
export class CountedBody extends Transform {
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
