import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { DomainError } from '@kontor/kernel';
import type { GatewayConfig } from '../config.js';
import { sendRawProblem } from '../send-problem.js';

const MIB = 1024 * 1024;
/**
 * Bodies up to this size are taken before anything of a service is, so that slow clients keep nobody from it, and held until it has
 * answered, so that another replica can be asked. Who is not known, or changes who may do what, brings no larger ones.
 */
const HELD_BYTES = 256 * 1024;

/** Accepts files of any size: the body is streamed, without a limit of time. */
export const isStreamed = (path: string): boolean => path === '/api/usage-events/import';
/** Priced as a whole in one piece of work, in which everybody else waits: four times of what 1,000 positions need. */
const isDocument = (path: string): boolean => /^\/invoices(\/|$)/.test(path);

/** Bytes that an operation accepts. @see docs/rules/api.md#body-limits */
export function bodyLimitOf(path: string, contentType: string | undefined): number {
  if (isStreamed(path)) return Infinity;
  if (contentType?.startsWith('multipart/form-data')) return 20 * MIB;
  if (isDocument(path)) return 2 * MIB;
  return (path.startsWith('/api/usage-events') ? 10 : 5) * MIB;
}

export const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', {
    kind: 'too_large',
    detail: `The body may have at most ${limit / MIB} MiB here.`,
  });

/** A body must bring so much in each interval in which it could: slower ones hold a connection and bring nothing. */
const MIN_BYTES = 1024;
const PACE_INTERVAL_MS = 15_000;
/** In which that must be there. */
export const paceOf = ({ paceIntervalMs = PACE_INTERVAL_MS }: GatewayConfig): number => paceIntervalMs;
/** In so many intervals all of a body that is held must be there. */
const INTERVALS_OF_HELD = 4;

function endSlow(payload: IncomingMessage): void {
  sendRawProblem(payload.socket, 408);
  payload.destroy(new Error('the body arrives too slowly'));
}

/** Ends a connection whose body drips with 408; one that waits for us, because the service is slower than it, does not count as slow. */
function keepPace(payload: IncomingMessage, intervalMs: number): void {
  let received = payload.socket.bytesRead;
  const timer = setInterval(() => {
    const now = payload.socket.bytesRead;
    const waitsForUs = payload.readableLength >= payload.readableHighWaterMark;
    if (!waitsForUs && now - received < MIN_BYTES) endSlow(payload);
    received = now;
  }, intervalMs);
  timer.unref();
  payload.once('close', () => clearInterval(timer)).once('end', () => clearInterval(timer));
}

/** Ends a connection whose other side takes nothing of an answer. */
export function keepPaceOfReader(response: ServerResponse, intervalMs: number): void {
  const { socket } = response;
  if (!socket) return;
  const read = (): number => socket.bytesWritten - socket.writableLength;
  let before = read();
  const timer = setInterval(() => {
    const now = read();
    if (socket.writableLength > 0 && now - before < MIN_BYTES) socket.destroy();
    before = now;
  }, intervalMs).unref();
  response.once('close', () => clearInterval(timer));
}

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
 * A body on its way to a service: small ones as bytes, when all of them are here; of known callers also larger ones, as a stream that
 * nobody here reads.
 * @throws DomainError 413 `payload_too_large`
 */
export async function takeBody(
  payload: IncomingMessage,
  path: string,
  mayStream: boolean,
  paceIntervalMs: number,
): Promise<Buffer | NodeJS.ReadableStream | undefined> {
  const { 'content-length': announced, 'content-type': contentType, 'transfer-encoding': chunked } = payload.headers;
  if (announced === undefined && chunked === undefined) return undefined;
  const limit = mayStream ? bodyLimitOf(path, contentType) : HELD_BYTES;
  keepPace(payload, paceIntervalMs);
  const length = Number(announced ?? 0);
  if (length > limit) throw tooLarge(limit);
  if (length > HELD_BYTES) return payload;
  const late = setTimeout(() => endSlow(payload), INTERVALS_OF_HELD * paceIntervalMs).unref();
  try {
    return await hold(payload, limit);
  } finally {
    clearTimeout(late);
  }
}

/** All of a body; where its length was not announced and it turns out to be a large one, a stream of it. */
async function hold(payload: IncomingMessage, limit: number): Promise<Buffer | NodeJS.ReadableStream> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= HELD_BYTES) continue;
    if (bytes > limit) throw tooLarge(limit);
    payload.unshift(Buffer.concat(chunks));
    const counted = new CountedBody(limit);
    // Who reads it hears of its end. Until somebody does it may have to wait for a place, and its sender be gone meanwhile.
    counted.on('error', () => undefined);
    payload.once('error', (error) => counted.destroy(error));
    return payload.pipe(counted);
  }
  return Buffer.concat(chunks);
}
