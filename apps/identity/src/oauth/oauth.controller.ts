import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import { DomainError } from '@kontor/kernel';
import { Operation, type OperationOptions } from '@kontor/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AskIssuer } from './ask-issuer.js';
import { DISCOVERY_EXAMPLE, TOKEN_EXAMPLE, TokenAnswer, USERINFO_EXAMPLE } from './oauth.schemas.js';
import { ROUTES } from './make-provider.js';

type Description = Pick<OperationOptions, 'id' | 'summary'> & Partial<OperationOptions>;

const FORM = 'application/x-www-form-urlencoded';
/** As much as an address may hold. */
const ADDRESS_LIMIT = 8_000;
const REFUSED = '`{error, error_description}` as OAuth 2.0 states it.';

/** An operation of the standards: their own errors, their own content types. */
const Endpoint = (description: Description): MethodDecorator =>
  Operation({ tag: 'OAuth', permission: null, standardErrors: true, ...description });

const text = { type: 'string' };
const authorizationQuery = {
  response_type: { type: 'string', enum: ['code'] },
  client_id: text,
  redirect_uri: text,
  scope: text,
  state: text,
  nonce: text,
  prompt: text,
  max_age: text,
  login_hint: text,
  id_token_hint: text,
  ui_locales: text,
  response_mode: text,
  code_challenge: text,
  code_challenge_method: { type: 'string', enum: ['S256'] },
};
const form = (properties: Record<string, object>, required: string[]): Partial<OperationOptions> => ({
  rawBody: true,
  requestType: FORM,
  requestBody: { type: 'object', properties, required },
});
const credentials = { client_id: text, client_secret: text };
const page = { success: 200, responseType: 'text/html' };

/** OAuth 2.0 and OpenID Connect: what is done here is what the standards say. */
@Controller()
export class OauthController {
  constructor(private readonly ask: AskIssuer) {}

  @Get(ROUTES.authorization)
  @Endpoint({
    id: 'authorize',
    summary:
      'Begin a sign-in: the browser is led to pages that ask for the e-mail address and for consent, and back with a code',
    query: authorizationQuery,
    errors: { 303: 'Leads on.', 400: REFUSED },
    ...page,
  })
  authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Post(ROUTES.authorization)
  @Endpoint({
    id: 'authorizeByForm',
    summary: 'Begin a sign-in by a form',
    errors: { 303: 'Leads on to the same as an address.', 400: REFUSED },
    ...form(authorizationQuery, ['client_id', 'response_type', 'scope']),
    ...page,
  })
  authorizeByForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return asAddress(request, reply, ROUTES.authorization);
  }

  @Get(`${ROUTES.authorization}/:uid`)
  @Endpoint({
    id: 'resumeAuthorization',
    summary: 'Where the pages of a sign-in lead back to',
    errors: { 303: 'Leads on.', 400: REFUSED },
    ...page,
  })
  resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Post(ROUTES.token)
  @Endpoint({
    id: 'exchangeToken',
    summary: 'Exchange a code or a refresh token for tokens',
    description:
      'A refresh token counts once: one that is shown again ends everything that was granted with it. `expires_in` is 3600, ' +
      '`refresh_token` comes with the scope `offline`, `id_token` with `openid` (or `kontor`).',
    success: 200,
    response: TokenAnswer,
    examples: {
      request: {
        grant_type: 'refresh_token',
        refresh_token: TOKEN_EXAMPLE.refresh_token,
        ...{ client_id: '…', client_secret: '…' },
      },
      response: TOKEN_EXAMPLE,
    },
    errors: { 400: REFUSED, 401: REFUSED },
    ...form(
      {
        ...credentials,
        grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
        code: text,
        redirect_uri: text,
        code_verifier: text,
        refresh_token: text,
        scope: text,
      },
      ['grant_type'],
    ),
  })
  token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Post(ROUTES.revocation)
  @Endpoint({
    id: 'revokeToken',
    summary: 'End an access or a refresh token, and all that was granted with it (RFC 7009)',
    success: 200,
    responseType: 'text/plain',
    errors: { 400: REFUSED, 401: REFUSED },
    ...form({ ...credentials, token: text, token_type_hint: text }, ['token']),
  })
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Post(ROUTES.introspection)
  @Endpoint({
    id: 'introspectToken',
    summary: 'What one of your tokens is worth (RFC 7662)',
    success: 200,
    response: Type.Object({ active: Type.Boolean() }),
    examples: { response: { active: false } },
    errors: { 400: REFUSED, 401: REFUSED },
    ...form({ ...credentials, token: text, token_type_hint: text }, ['token']),
  })
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Get(ROUTES.userinfo)
  @Endpoint({
    id: 'getUserinfo',
    summary: 'Who has signed in; for an access token with the identity',
    response: Type.Object({ sub: Type.String() }),
    examples: { response: USERINFO_EXAMPLE },
    errors: { 400: REFUSED, 401: REFUSED, 403: REFUSED },
  })
  userinfo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Post(ROUTES.userinfo)
  @Endpoint({
    id: 'postUserinfo',
    summary: 'Who has signed in; for an access token with the identity',
    success: 200,
    response: Type.Object({ sub: Type.String() }),
    examples: { response: USERINFO_EXAMPLE },
    errors: { 400: REFUSED, 401: REFUSED, 403: REFUSED },
    ...form({ access_token: text }, []),
  })
  postUserinfo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Get(ROUTES.jwks)
  @Endpoint({
    id: 'getSigningKeys',
    summary: 'The keys that tokens are signed with',
    responseType: 'application/jwk-set+json',
    response: Type.Object({ keys: Type.Array(Type.Object({ kid: Type.String() })) }),
    examples: { response: { keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: '3c1f', e: 'AQAB', n: '…' }] } },
  })
  jwks(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Get('/.well-known/openid-configuration')
  @Endpoint({
    id: 'discover',
    summary: 'What this issuer can do, and where (OpenID Connect Discovery)',
    response: Type.Object({ issuer: Type.String() }),
    examples: { response: DISCOVERY_EXAMPLE },
  })
  discover(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Get(ROUTES.end_session)
  @Endpoint({
    id: 'beginLogout',
    summary: 'Ask whoever is signed in whether to sign out (OpenID Connect RP-Initiated Logout)',
    query: { id_token_hint: text, client_id: text, post_logout_redirect_uri: text, state: text, ui_locales: text },
    errors: { 400: REFUSED },
    ...page,
  })
  beginLogout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Post(ROUTES.end_session)
  @Endpoint({
    id: 'beginLogoutByForm',
    summary: 'Ask whoever is signed in whether to sign out',
    errors: { 303: 'Leads on to the same as an address.', 400: REFUSED },
    ...form({ id_token_hint: text, client_id: text, post_logout_redirect_uri: text, state: text }, []),
    ...page,
  })
  beginLogoutByForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): FastifyReply {
    return asAddress(request, reply, ROUTES.end_session);
  }

  @Post(`${ROUTES.end_session}/confirm`)
  @Endpoint({
    id: 'confirmLogout',
    summary: 'Sign out, and notify the apps',
    errors: { 303: 'Leads on.', 400: REFUSED },
    ...form({ xsrf: text, logout: { type: 'string', enum: ['yes'] } }, ['xsrf']),
    ...page,
  })
  confirmLogout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }

  @Get(`${ROUTES.end_session}/success`)
  @Endpoint({ id: 'showSignedOut', summary: 'The page after a logout', errors: { 400: REFUSED }, ...page })
  showSignedOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.ask.execute(request, reply);
  }
}

/**
 * A form as an address: a browser that comes from the app's own page sends no cookies of ours with a form.
 * @throws DomainError 413 `payload_too_large`
 */
function asAddress(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const form = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  // Of three bytes (`%41`) one character may be left, not fewer.
  const query = form.length > 3 * ADDRESS_LIMIT ? undefined : new URLSearchParams(form.toString()).toString();
  if (query === undefined || query.length > ADDRESS_LIMIT)
    throw new DomainError('payload_too_large', {
      kind: 'too_large',
      detail: 'The form is longer than an address can be: 8,000 characters.',
    });
  return reply.status(303).header('location', `${path}?${query}`).send();
}
