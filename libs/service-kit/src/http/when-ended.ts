import type { FastifyReply } from 'fastify';

/** Stands in logs and metrics for a request that nobody waited for any more. */
const CLIENT_GONE = 499;

/**
 * Calls back once, with the status, when the answer was sent or who asked has gone away before. Fastify's own hook says nothing of
 * the latter, which are many when answers take too long.
 */
export function whenEnded({ raw }: FastifyReply, ended: (status: number) => void): void {
  raw.once('close', () => ended(raw.writableFinished ? raw.statusCode : CLIENT_GONE));
}
