import { Body, Controller, Post } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import { Operation, unauthenticated } from '@kontor/service-kit';
import { NO_TENANT } from '../domain/no-tenant.js';
import { OpenLoginLink } from '../login-links/open-login-link.js';
import { RequestLoginLink } from '../login-links/request-login-link.js';
import { openSession } from './open-session.js';
import { LoginDto, RefreshDto, RequestLoginLinkDto } from './public-customer.dto.js';
import { RefreshSession } from './refresh-session.js';
import { CustomerTokensAnswer, EXAMPLE_TOKENS } from './session.schemas.js';

const open = { tag: 'Customer area', permission: null, signsIn: true } as const;

/** How customers log in by themselves, for the programs of a customer area. */
@Controller('public/customer')
export class PublicCustomerController {
  constructor(
    private readonly requestLink: RequestLoginLink,
    private readonly openLink: OpenLoginLink,
    private readonly refreshSession: RefreshSession,
  ) {}

  @Post('request-login-link')
  @Operation({
    id: 'requestLoginLink',
    summary: 'Mail a login link to whoever has this e-mail address',
    description:
      'Answers alike, and as fast, whether the address is known or not. The mail has a link for each customer of that address; a link works ' +
      'once, for 15 minutes.',
    success: 200,
    response: Type.Object({ success: Type.Literal(true) }),
    examples: { request: { email: 'rechnung@backhaus-elbe.example' }, response: { success: true } },
    ...open,
  })
  async request(@Body() body: RequestLoginLinkDto): Promise<{ success: true }> {
    await this.requestLink.execute({ tenantId: NO_TENANT, email: body.email, interaction: null });
    return { success: true };
  }

  @Post('login')
  @Operation({
    id: 'logCustomerIn',
    summary: 'Exchange the token of a login link for tokens of its customer',
    description:
      'For a customer area of your own: the token is the last part of the address in the mail, and works once.',
    success: 200,
    response: CustomerTokensAnswer,
    examples: { request: { token: 'kJ0n7hQ0yq9m2m0m5n1w7y' }, response: { data: EXAMPLE_TOKENS } },
    errors: { 401: 'The link was used, has expired, or never was.' },
    ...open,
  })
  async logIn(@Body() body: LoginDto) {
    // One that was made for an app signs in there and nowhere else.
    const data = await this.openLink.use(body.token, { interaction: null, browser: null }, (tx, { link }) =>
      openSession(tx, link.customerId, new Date()),
    );
    if (!data) throw unauthenticated('The login link was used already, has expired, or never was.');
    return { data };
  }

  @Post('refresh')
  @Operation({
    id: 'refreshCustomerSession',
    summary: "Exchange a customer's refresh token for new tokens",
    description: 'A refresh token counts once: one that is shown again ends its session.',
    success: 200,
    response: CustomerTokensAnswer,
    examples: { request: { refreshToken: EXAMPLE_TOKENS.refreshToken }, response: { data: EXAMPLE_TOKENS } },
    errors: { 401: 'The refresh token is unknown, used or expired.' },
    ...open,
  })
  async refresh(@Body() body: RefreshDto) {
    return { data: await this.refreshSession.execute(body.refreshToken) };
  }
}
