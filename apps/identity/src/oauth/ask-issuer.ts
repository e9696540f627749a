import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@kontor/kernel';
import { urlParts } from '@kontor/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { meantScope } from '../domain/oauth-scopes.js';
import type { IssuerName } from './issuer-addresses.js';
import { Issuers } from './issuers.js';
import { ROUTES, type MadeProvider } from './make-provider.js';

const BEARER = /^Bearer +([\w.-]+)$/i;

/** Hands a request over to the issuer that it was sent to. */
@Injectable()
export class AskIssuer {
  constructor(private readonly issuers: Issuers) {}

  /** @throws DomainError 404 `not_found` where there is no issuer at the name that was asked for. */
  issuerOf(request: FastifyRequest): IssuerName {
    const host = request.headers['x-forwarded-host'];
    const issuer = this.issuers.addresses.issuerAt(typeof host === 'string' ? host : request.headers.host);
    if (!issuer) throw notFound('An issuer at this address');
    return issuer;
  }

  async provider(request: FastifyRequest): Promise<MadeProvider> {
    const issuer = this.issuerOf(request);
    nameIssuer(request, this.issuers.addresses.urlOf(issuer));
    return this.issuers.of(issuer);
  }

  async execute(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const made = await this.provider(request);
    const body = await translate(request, made);
    if (body) replay(request, body);
    const requestId = reply.getHeader('x-request-id');
    reply.hijack();
    if (requestId !== undefined) reply.raw.setHeader('x-request-id', requestId);
    await made.provider.callback()(request.raw, reply.raw);
  }
}

/** Addresses that are made of the request's host are the issuer's, whatever a client claims. */
function nameIssuer({ raw }: FastifyRequest, url: string): void {
  const { host, protocol } = new URL(url);
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete raw.headers['forwarded'];
}

/**
 * The service's own name for the identity becomes the standard's, and a signed access token the id by which it is known inside.
 * Gives the body to be read instead of the one that came.
 */
async function translate(request: FastifyRequest, { tokens }: MadeProvider): Promise<Buffer | undefined> {
  const { raw } = request;
  const { path, query } = urlParts(raw.url ?? '');
  if (path === ROUTES.authorization && query) raw.url = `${path}?${withMeantScope(new URLSearchParams(query))}`;
  const bearer = BEARER.exec(raw.headers.authorization ?? '')?.[1];
  if (path === ROUTES.userinfo && bearer) raw.headers.authorization = `Bearer ${(await tokens.idOf(bearer)) ?? '-'}`;
  if (!Buffer.isBuffer(request.body)) return undefined;
  requireSmall(request.body);
  if (!/^application\/x-www-form-urlencoded\b/i.test(raw.headers['content-type'] ?? '')) return request.body;
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(request.body.toString()))
    form.append(name, isAccessToken(name, value) ? ((await tokens.idOf(value)) ?? '-') : value);
  return Buffer.from(withMeantScope(form));
}

/** Who knows no more than the id of one has no access by it. A refresh token, which may be the `token` as well, is none that can be read: it stays as it is. */
const isAccessToken = (name: string, value: string): boolean =>
  name === 'access_token' || (name === 'token' && value.includes('.'));

function withMeantScope(parameters: URLSearchParams): string {
  const scopes = parameters.getAll('scope');
  // Given twice it is refused, as everything is that is given twice.
  if (scopes.length === 1) parameters.set('scope', meantScope(scopes[0]!));
  return parameters.toString();
}

const LIMIT = 56 * 1024;

/** Before it is read: a form of megabytes takes long to be taken apart. @throws DomainError 413 `payload_too_large` */
function requireSmall(body: Buffer): void {
  if (body.length > LIMIT)
    throw new DomainError('payload_too_large', { kind: 'too_large', detail: 'The form is larger than 56 KiB.' });
}

/** The body was read already: it is given once more to who reads the request itself. */
function replay({ raw }: FastifyRequest, body: Buffer): void {
  requireSmall(body);
  raw.headers['content-length'] = String(body.length);
  Object.defineProperties(raw, {
    readable: { value: true },
    readableEncoding: { value: null },
    iterator: { value: () => [body].values() },
  });
}
