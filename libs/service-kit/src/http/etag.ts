import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** The answer with an ETag, or 304 without a body when `known` (the request's `If-None-Match`) has it. */
export function answerUnlessKnown<T>(body: T, known: string | undefined, reply: FastifyReply): T | undefined {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27)}"`;
  void reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const tags = known?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  if (!tags.includes(etag) && !tags.includes('*')) return body;
  void reply.code(304);
  return undefined;
}
