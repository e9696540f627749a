import { languageFor, Operation, type PageLanguage, redirectTo, refuseOtherSites, sendPage } from '@kontor/service-kit';
import { Controller, Get, Headers, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGIN_PATH } from '../login-links/login-link-life.js';
import { OpenLoginLink } from '../login-links/open-login-link.js';
import { areaPage, gonePage, loginPage, signedOutPage } from './area-pages.js';
import { AREA_PATH, CustomerArea } from './customer-area.js';
import { ACCESS_SECONDS, openSession } from './open-session.js';

const open = { tag: 'Public pages', permission: null, responseType: 'text/html' } as const;
const lang = { query: { lang: { type: 'string' } } };

/** What customers see who got a login link. The session is a cookie that no script can read. */
@Controller('public/customer')
export class CustomerAreaController {
  constructor(
    private readonly openLink: OpenLoginLink,
    private readonly area: CustomerArea,
  ) {}

  @Get('login/:token')
  @Operation({
    id: 'showLoginLink',
    summary: 'The page behind a login link: it asks for a click, because programs that check mails open links',
    ...lang,
    ...open,
  })
  async show(
    @Param('token') token: string,
    @Query('lang') chosen: string | undefined,
    @Headers() headers: Record<string, string | undefined>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const opened = await this.openLink.look(token);
    const language = languageFor(chosen, opened?.customer.language, headers['accept-language']);
    if (!opened) return sendPage(reply, 404, gonePage(language));
    if (this.area.browserOf(headers['cookie']) === null) void reply.header('set-cookie', this.area.browserCookie());
    return sendPage(reply, 200, loginPage(opened, `${LOGIN_PATH}/${token}`, language), { sandbox: opened.sandbox });
  }

  @Post('login/:token')
  @Operation({
    id: 'submitLoginLink',
    summary: 'Log in with the link, once; leads on to the customer area by 303',
    rawBody: true,
    success: 200,
    ...lang,
    ...open,
  })
  async submit(
    @Param('token') token: string,
    @Query('lang') chosen: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    refuseOtherSites(request);
    const language = languageFor(chosen, undefined, request.headers['accept-language']);
    const by = { interaction: null, browser: this.area.browserOf(request.headers.cookie) };
    const used = await this.openLink.use(token, by, async (tx, { link, sandbox }) => ({
      sandbox,
      ...(await openSession(tx, link.customerId, new Date())),
    }));
    if (!used) return sendPage(reply, 404, gonePage(language));
    const cookie = this.area.cookie(used.accessToken, ACCESS_SECONDS);
    return redirectTo(reply.header('set-cookie', cookie), chosen ? `${AREA_PATH}?lang=${language}` : AREA_PATH);
  }

  @Get('area')
  @Operation({ id: 'showCustomerArea', summary: 'The customer area: what is known of the customer', ...lang, ...open })
  async showArea(
    @Headers() headers: Record<string, string | undefined>,
    @Query('lang') chosen: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const visitor = await this.area.visitor(headers['cookie']);
    const language = languageFor(chosen, visitor?.customer.language, headers['accept-language']);
    if (!visitor) return sendPage(reply, 200, signedOutPage(language));
    return sendPage(reply, 200, areaPage(visitor, language), { sandbox: visitor.sandbox });
  }

  @Post('sign-out')
  @Operation({
    id: 'leaveCustomerArea',
    summary: 'End the session of the customer area',
    rawBody: true,
    success: 200,
    ...lang,
    ...open,
  })
  async leave(
    @Req() request: FastifyRequest,
    @Query('lang') chosen: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    refuseOtherSites(request);
    const { headers } = request;
    const language: PageLanguage = languageFor(chosen, undefined, headers['accept-language']);
    await this.area.leave(headers['cookie']);
    return sendPage(reply.header('set-cookie', this.area.cookie('', 0)), 200, signedOutPage(language));
  }
}
