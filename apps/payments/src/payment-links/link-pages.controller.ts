import { languageFor, Operation, publicPageHeaders } from '@kontor/service-kit';
import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AddByLink } from './add-by-link.js';
import { readLinkForm } from './link-form.js';
import { LINK_PATH } from './link-address.js';
import { OpenLink, type OpenedLink } from './open-link.js';
import { linkPage, type LinkPage, type LinkResult, resultPage } from './pages.js';
import { ReturnFromProvider } from './return-from-provider.js';
import type { LinkLanguage } from './texts.js';
import { mandateReferenceOf, pageOf } from './view-link.js';
import { withStatus } from './with-status.js';

const open = { tag: 'Public pages', permission: null, responseType: 'text/html' } as const;
const FORM_LIMIT = 10_000;
const GONE = { seller: '', methodName: null, goOn: null };

/** What customers see who got a link. No token but the one in the address, no scripts, nothing from elsewhere. */
@Controller('public/payment-methods')
export class LinkPagesController {
  constructor(
    private readonly openLink: OpenLink,
    private readonly addByLink: AddByLink,
    private readonly returnFrom: ReturnFromProvider,
  ) {}

  @Get(':token')
  @Operation({
    id: 'showPaymentMethodLink',
    summary: 'The page behind a payment-method link',
    query: { lang: { type: 'string' } },
    ...open,
  })
  async show(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const opened = await this.openLink.execute(token);
    const language = languageFor(lang, opened?.customer.language, accepted);
    if (!opened) return send(reply, 404, false, resultPage('gone', { language, ...GONE }));
    if (opened.usedUp) return this.usedUp(reply, opened, language);
    return send(reply, 200, opened.sandbox, linkPage(page(opened, token, language)));
  }

  @Post(':token')
  @Operation({
    id: 'submitPaymentMethodLink',
    summary: 'Add the way to pay that was chosen on the page',
    description:
      'Leads on by 303: to the provider, to the `redirectUrl` with `status` and `paymentMethodId`, or back to the ' +
      'page.',
    query: { lang: { type: 'string' } },
    rawBody: true,
    requestType: 'application/x-www-form-urlencoded',
    requestBody: {
      type: 'object',
      required: ['gateway'],
      properties: {
        gateway: { type: 'string' },
        accountHolder: { type: 'string' },
        iban: { type: 'string' },
        consent: { type: 'string', enum: ['yes'] },
      },
    },
    success: 200,
    ...open,
  })
  async submit(
    @Param('token') token: string,
    @Query('lang') lang: string | undefined,
    @Headers() headers: Record<string, string | undefined>,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const opened = await this.openLink.execute(token);
    const language = languageFor(lang, opened?.customer.language, headers['accept-language']);
    if (!opened) return send(reply, 404, false, resultPage('gone', { language, ...GONE }));
    if (opened.usedUp) return this.usedUp(reply, opened, language);
    const text = Buffer.isBuffer(body) && body.length <= FORM_LIMIT ? body.toString() : '';
    const shown = page(opened, token, language);
    const form = readLinkForm(new URLSearchParams(text), opened, {
      language,
      reference: mandateReferenceOf(opened.link),
      ip: headers['x-forwarded-for']?.split(',')[0]?.trim() ?? null,
      userAgent: headers['user-agent'] ?? null,
    });
    if ('problems' in form) return send(reply, 422, opened.sandbox, linkPage(shown, form));
    const added = await this.addByLink.execute(opened, form);
    const back = `${shown.path}?lang=${language}`;
    if (added.kind === 'used') return redirect(reply, back);
    if (added.kind === 'added')
      return redirect(reply, withStatus(opened.link.redirectUrl, 'success', added.method.id) ?? back);
    const { registration, method } = added.registered;
    if (registration.state === 'waiting' && registration.actionUrl) return redirect(reply, registration.actionUrl);
    if (registration.state === 'done' && method?.status === 'active')
      return redirect(reply, withStatus(registration.redirectUrl, 'success', method.id) ?? back);
    return send(
      reply,
      422,
      opened.sandbox,
      linkPage(shown, { gateway: form.gateway, accountHolder: '', iban: '', problems: ['provider'] }),
    );
  }

  @Get('returns/:token')
  @Operation({
    id: 'returnToPaymentMethodLink',
    summary: "Where a provider sends the payer back to after the payer's action",
    ...open,
  })
  async back(
    @Param('token') token: string,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const returned = await this.returnFrom.execute(token);
    if (!returned)
      return send(
        reply,
        404,
        false,
        resultPage('gone', { language: languageFor(undefined, undefined, accepted), ...GONE }),
      );
    const target = withStatus(returned.redirectUrl, STATUS_WORDS[returned.result], returned.methodId);
    if (target) return redirect(reply, target);
    const language = languageFor(undefined, returned.language, accepted);
    return send(
      reply,
      200,
      returned.sandbox,
      resultPage(returned.result, {
        language,
        seller: returned.seller,
        methodName: returned.methodName,
        goOn: returned.actionUrl,
      }),
    );
  }

  private async usedUp(reply: FastifyReply, opened: OpenedLink, language: LinkLanguage): Promise<string> {
    const result: LinkResult = opened.link.methodId === null ? 'gone' : 'done';
    const methodName = await this.returnFrom.nameOf(opened.tenantId, opened.link.methodId);
    return send(
      reply,
      result === 'gone' ? 410 : 200,
      opened.sandbox,
      resultPage(result, { language, seller: opened.seller.name, methodName, goOn: null }),
    );
  }
}

const STATUS_WORDS = { done: 'success', pending: 'pending', unfinished: 'pending', failed: 'failed' } as const;

const page = (opened: OpenedLink, token: string, language: LinkLanguage): LinkPage =>
  pageOf(opened, { path: `${LINK_PATH}/${token}`, language });

function send(reply: FastifyReply, status: number, sandbox: boolean, html: string): string {
  void protect(reply, sandbox).status(status).type('text/html; charset=utf-8');
  return html;
}

function redirect(reply: FastifyReply, target: string): string {
  void protect(reply, false).status(303).header('location', target).type('text/html; charset=utf-8');
  return '';
}

const protect = (reply: FastifyReply, sandbox: boolean): FastifyReply => reply.headers(publicPageHeaders(sandbox));
