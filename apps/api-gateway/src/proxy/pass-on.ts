import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { ServiceName } from '@kontor/contracts';
import { NotTrusted } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { keepPaceOfReader } from './body-limit.js';

/** Answers up to this size are sent when all of it is here. */
const WHOLE_BYTES = 64 * 1024;

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** What a service answers. */
export interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly stream: Readable & { bytes(): Promise<Uint8Array> };
}

interface Client {
  /** Whose answer it is. */
  readonly service: ServiceName;
  readonly reply: FastifyReply;
  /** Frees the place that the request had. */
  readonly leave: () => void;
  /** Waits for a place for an answer that takes as long as its reader. */
  readonly download: () => Promise<() => void>;
  readonly paceIntervalMs: number;
}

/**
 * A small answer leaves in one piece, a larger one, or one of unknown length, as it comes. However slowly it is read, the request's
 * place is free before that.
 * @throws NotTrusted when the service refused us, and not the caller, whose token may be good; Error when the answer ends before it is all here
 */
export async function passOn({ headers, stream }: Answer, client: Client): Promise<void> {
  const { service, reply, leave, download, paceIntervalMs } = client;
  const length = WITHOUT_BODY.has(reply.statusCode) ? 0 : Number(headers['content-length'] ?? Infinity);
  if (length <= WHOLE_BYTES) {
    const bytes = await stream.bytes().finally(leave);
    if (reply.statusCode === 401 && refusesUs(bytes)) {
      for (const name of ['content-length', 'www-authenticate']) reply.removeHeader(name);
      throw new NotTrusted(service);
    }
    return void reply.send(length === 0 ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
  leave();
  if (reply.request.method === 'HEAD') {
    stream.destroy();
    return void reply.send();
  }
  const end = await download();
  if (reply.raw.destroyed) {
    end();
    stream.destroy();
    return;
  }
  reply.raw.once('close', end);
  const giveUp = (): void => void stream.destroy();
  reply.raw.once('close', giveUp);
  await begun(stream).finally(() => reply.raw.off('close', giveUp));
  keepPaceOfReader(reply.raw, paceIntervalMs);
  void reply.send(stream);
}

/** Until something of it is here, or it is empty: until then it may turn out to be none. @throws Error when it was interrupted */
async function begun(stream: Readable): Promise<void> {
  if (stream.errored) throw stream.errored;
  if (stream.readableEnded) return;
  const found = new AbortController();
  const { signal } = found;
  await Promise.race(['readable', 'end', 'close'].map((event) => once(stream, event, { signal }))).finally(() =>
    found.abort(),
  );
}

function refusesUs(bytes: Uint8Array): boolean {
  try {
    const problem = JSON.parse(Buffer.from(bytes).toString()) as { reason?: string } | null;
    return problem?.reason === 'not_trusted';
  } catch {
    return false;
  }
}
