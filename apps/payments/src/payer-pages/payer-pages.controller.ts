import {
  languageFor,
  lookRights,
  Operation,
  type PageLanguage,
  redirectTo,
  sendPage,
  ServiceConfig,
} from '@kontor/service-kit';
import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PAYER_PATH } from '../collections/payer-links.js';
import { TEST_PROVIDER_PAGE } from '../gateways/testing/testing.gateway.js';
import { PayOtherwise } from './pay-otherwise.js';
import { type OpenedPayerPage, OpenPayerPage } from './open-payer-page.js';
import { payerPage, resultPage, testProviderPage } from './payer-page.html.js';
import { TakeStep } from './take-step.js';

const open = {
  tag: 'Public pages',
  permission: null,
  responseType: 'text/html',
  query: { lang: { type: 'string' } },
} as const;
const form = { rawBody: true, requestType: 'application/x-www-form-urlencoded', success: 200 } as const;
const FORM_LIMIT = 1_000;

/** What payers see whose payment waits for them. No token but the one in the address, no scripts, nothing from elsewhere. */
@Controller('public/payments/:token')
export class PayerPagesController {
  constructor(
    private readonly openPage: OpenPayerPage,
    private readonly step: TakeStep,
    private readonly otherwise: PayOtherwise,
    private readonly config: ServiceConfig,
  ) {}

  @Get()
  @Operation({
    id: 'showPayerPage',
    summary: 'The page of a payment that waits for its payer',
    description: 'A card that has to be confirmed, or a wallet that has to approve. Opening it changes nothing.',
    ...open,
  })
  async show(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { opened, language } = await this.open(token, lang, accepted);
    if (!opened) return gone(reply, language);
    return send(reply, 200, opened, payerPage(opened, { language, path: `${PAYER_PATH}/${token}` }));
  }

  @Post()
  @Operation({
    id: 'leaveForProvider',
    summary: "Go on to the provider's page",
    description: 'Leads on by 303; the provider sends the payer back to `/return`.',
    ...open,
    ...form,
  })
  async leave(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { opened, language } = await this.open(token, lang, accepted);
    if (!opened) return gone(reply, language);
    const path = `${PAYER_PATH}/${token}`;
    if (opened.state !== 'action') return redirectTo(reply, `${path}?lang=${language}`);
    const actionUrl = await this.step.begin(opened).catch(() => null);
    if (actionUrl !== null) return redirectTo(reply, actionUrl);
    const now = (await this.openPage.execute(token)) ?? opened;
    if (now.state !== 'action') return redirectTo(reply, `${path}?lang=${language}`);
    return send(reply, 503, now, payerPage(now, { language, path }, true));
  }

  @Post('methods')
  @Operation({
    id: 'payOtherwise',
    summary: 'Choose another way to pay after a payment failed',
    description: 'Leads on by 303, to a page on which it is added. Then the payment is collected by it.',
    ...open,
    ...form,
  })
  async chooseOther(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { opened, language } = await this.open(token, lang, accepted);
    if (!opened) return gone(reply, language);
    const path = `${PAYER_PATH}/${token}?lang=${language}`;
    const link = await this.otherwise.execute(opened, `${this.config.publicUrl}${path}`);
    return redirectTo(reply, link === null ? path : `${link}?lang=${language}`);
  }

  @Get('return')
  @Operation({
    id: 'returnToPayerPage',
    summary: 'Where a provider sends the payer back to',
    description:
      "The provider is asked what was done there; then it goes on by 303, to the seller's page where there is one.",
    ...open,
  })
  async back(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { opened, language } = await this.open(token, lang, accepted);
    if (!opened) return gone(reply, language);
    // Whoever cannot be asked now is asked by the sweeper, or calls by itself.
    await this.step.finish(opened).catch(() => undefined);
    return redirectTo(reply, opened.page.redirectUrl ?? `${PAYER_PATH}/${token}?lang=${language}`);
  }

  @Get(TEST_PROVIDER_PAGE)
  @Operation({ id: 'showTestProvider', summary: 'The page of the test provider', ...open })
  async test(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { opened, language } = await this.open(token, lang, accepted);
    if (opened?.intent === undefined || (opened.waiting && opened.waiting.gatewayName !== 'fake_provider'))
      return gone(reply, language);
    const path = `${PAYER_PATH}/${token}/${TEST_PROVIDER_PAGE}`;
    return send(reply, 200, opened, testProviderPage(opened, { language, path }));
  }

  @Post(TEST_PROVIDER_PAGE)
  @Operation({
    id: 'decideAtTestProvider',
    summary: 'Approve or decline at the test provider',
    description: 'Leads back by 303.',
    ...open,
    ...form,
    requestBody: {
      type: 'object',
      required: ['decision'],
      properties: {
        decision: { type: 'string', enum: ['approve', 'decline'], description: 'What the payer decides.' },
      },
    },
  })
  async decide(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { opened, language } = await this.open(token, lang, accepted);
    if (!opened) return gone(reply, language);
    const text = Buffer.isBuffer(body) && body.length <= FORM_LIMIT ? body.toString() : '';
    const decision = new URLSearchParams(text).get('decision');
    if (decision !== 'approve' && decision !== 'decline')
      return redirectTo(reply, `${PAYER_PATH}/${token}/${TEST_PROVIDER_PAGE}?lang=${language}`);
    await this.step.decide(opened, decision === 'approve');
    return redirectTo(reply, `${PAYER_PATH}/${token}/return?lang=${language}`);
  }

  /** What the token leads to, and the language of the answer. */
  private async open(token: string, lang: string | undefined, accepted: string | undefined) {
    const opened = await this.openPage.execute(token);
    return { opened, language: languageFor(lang, opened?.language, accepted) };
  }
}

const gone = (reply: FastifyReply, language: PageLanguage): string =>
  sendPage(reply, 404, resultPage('gone', { language, path: '' }, null));

const send = (reply: FastifyReply, status: number, { sandbox, look }: OpenedPayerPage, html: string): string =>
  sendPage(reply, status, html, { sandbox, ...lookRights(look) });
