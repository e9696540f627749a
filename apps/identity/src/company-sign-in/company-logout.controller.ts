import { Operation, requestContext } from '@kontor/service-kit';
import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CompanyLogout } from './company-logout.js';

const NO_REPORT = { error: 'invalid_request', error_description: 'no logout token of the identity provider' };

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
      'Ends all sessions that it has opened for the person in this tenant; effective within a second. The token has to name the person (`sub`).',
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
    errors: { 400: '`{error, error_description}`, where the token is none of the provider.', 429: 'Too many reports.' },
  })
  async report(
    @Param('tenantId') tenantId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    void reply.header('cache-control', 'no-store');
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
    const token = (form.get('logout_token') ?? '').slice(0, 8_000);
    if (await this.logout.execute(tenantId, token, requestContext()?.address ?? '')) return {};
    void reply.status(400);
    return NO_REPORT;
  }
}
