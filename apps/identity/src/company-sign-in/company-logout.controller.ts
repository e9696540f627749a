import { Operation, requestContext, sendPage } from '@kontor/service-kit';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CompanyLogout } from './company-logout.js';

const NO_REPORT = { error: 'invalid_request', error_description: 'no logout token of the identity provider' };

/** In a frame that nobody sees. */
const EMPTY_PAGE = '<!doctype html><html lang="en"><head><title>Logout</title></head><body></body></html>\n';

/** Where companies' identity providers report logouts. */
@Controller('public/account/company')
export class CompanyLogoutController {
  constructor(private readonly logout: CompanyLogout) {}

  @Post(':tenantId/logout')
  @Operation({
    id: 'reportCompanyLogout',
    summary:
      "Where a tenant's identity provider reports that somebody has signed out there (OpenID Connect Back-Channel Logout)",
    description:
      'Ends the sessions that it has opened in this tenant: for the person (`sub`), or by the session that it names (`sid`); of both, those of the ' +
      'person that come of that session, or of one that it never named. Effective within a second.',
    tag: 'Public pages',
    permission: null,
    standardErrors: true,
    success: 200,
    response: Type.Object({}, { additionalProperties: false }),
    rawBody: true,
    requestType: 'application/x-www-form-urlencoded',
    requestBody: {
      type: 'object',
      properties: { logout_token: { type: 'string', maxLength: 8_000, description: "The provider's logout token." } },
      required: ['logout_token'],
    },
    examples: { request: { logout_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' }, response: {} },
    errors: {
      400: '`{error, error_description}`, where the token is none of the provider.',
      429: 'Too many reports.',
      503: '`service_overloaded`: too many wait for the provider.',
    },
  })
  async report(
    @Param('tenantId') tenantId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    void reply.header('cache-control', 'no-store');
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
    const token = (form.get('logout_token') ?? '').slice(0, 8_000);
    if (await this.logout.byToken(tenantId, token, requestContext()?.address ?? '')) return {};
    void reply.status(400);
    return NO_REPORT;
  }
  @Get(':tenantId/logout')
  @Operation({
    id: 'showCompanyLogout',
    summary:
      "Where a tenant's identity provider has a browser report that somebody has signed out there (OpenID Connect Front-Channel Logout)",
    description:
      'For a frame of a page of the provider: an empty page. Ends the sessions that it has opened in this tenant by the session that it names.',
    tag: 'Public pages',
    permission: null,
    success: 200,
    responseType: 'text/html',
    query: {
      iss: { ...identifier(500), description: 'The issuer, as the settings name it.' },
      sid: { ...identifier(255), description: 'The session, as the ID token named it (`sid`).' },
    },
    errors: { 400: 'No session of the identity provider.', 429: 'Too many reports.' },
  })
  async show(
    @Param('tenantId') tenantId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { iss, sid } = request.query as Record<string, unknown>;
    const isReport = await this.logout.bySession(tenantId, { iss, sid }, requestContext()?.address ?? '');
    return sendPage(reply, isReport ? 200 : 400, EMPTY_PAGE, { framedBy: ['*'] });
  }
}

/** Printable ASCII, as OAuth has it. @see RFC 6749, appendix A */
function identifier(maxLength: number) {
  return { type: 'string', maxLength, pattern: '^[ -~]*$' };
}
