import type { FastifyReply } from 'fastify';
import { type PageRights, publicPageHeaders } from './page-layout.js';

/** Answers with a page; what it may do beside showing itself is said by `rights`. */
export function sendPage(reply: FastifyReply, status: number, html: string, rights: PageRights = {}): string {
  void reply.headers(publicPageHeaders(rights)).status(status).type('text/html; charset=utf-8');
  return html;
}

/** Leads on by 303: whatever was posted is not posted again. */
export function redirectTo(reply: FastifyReply, target: string): string {
  void reply.header('location', target);
  return sendPage(reply, 303, '');
}
