import type { FastifyRequest } from 'fastify';
import { permissionDenied } from '../http/problem.js';

/**
 * Refuses a form that was on a page of another site: what it sends is not what whoever sits at the browser wants. Browsers say where
 * a form was; programs, which have no cookies of anybody, do not.
 * @throws DomainError 403
 */
export function refuseOtherSites({ headers, host }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const forwarded = headers['x-forwarded-host'];
  const ownHost = typeof forwarded === 'string' ? forwarded : host;
  const isOwn =
    site === undefined ? origin === undefined || hostOf(origin) === ownHost : site === 'same-origin' || site === 'none';
  if (!isOwn) throw permissionDenied('The form was sent by another site.');
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
