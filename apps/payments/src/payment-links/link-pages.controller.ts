import { languageFor, lookRights, NO_LOOK, Operation, redirectTo, sendPage } from '@kontor/service-kit';
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
/** Of the pages whose link may be over. */
const errors = { 410: 'A page: the link was good once.' };
const FORM_LIMIT = 10_000;
const GONE = { seller: '', look: NO_LOOK, legal: null, methodName: null, goOn: null };

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
    errors,
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
    if (!opened) return sendPage(reply, 404, resultPage('gone', { language, ...GONE }));
    if (opened.usedUp) return this.usedUp(reply, opened, language, 'done');
    return sendPage(reply, 200, linkPage(page(opened, token, language)), rightsOf(opened));
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
    errors,
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
    if (!opened) return sendPage(reply, 404, resultPage('gone', { language, ...GONE }));
    const back = `${LINK_PATH}/${token}?lang=${language}`;
    const done = (methodId: string): string => withStatus(opened.link.redirectUrl, 'success', methodId) ?? back;
    const text = Buffer.isBuffer(body) && body.length <= FORM_LIMIT ? body.toString() : '';
    const shown = page(opened, token, language);
    const form = readLinkForm(new URLSearchParams(text), opened, {
      language,
      reference: mandateReferenceOf(opened.link),
      ip: headers['x-forwarded-for']?.split(',')[0]?.trim() ?? null,
      userAgent: headers['user-agent'] ?? null,
    });
    const again = async (used: OpenedLink): Promise<string> =>
      'problems' in form || !(await this.addByLink.hasAdded(used, form))
        ? this.usedUp(reply, used, language, 'used')
        : redirectTo(reply, done(used.link.methodId!));
    if (opened.usedUp) return again(opened);
    if ('problems' in form) return sendPage(reply, 422, linkPage(shown, form), rightsOf(opened));
    const added = await this.addByLink.execute(opened, form);
    if (added.kind === 'used') return again((await this.openLink.execute(token)) ?? opened);
    if (added.kind === 'added') return redirectTo(reply, done(added.method.id));
    const { registration, method } = added.registered;
    if (registration.state === 'waiting' && registration.actionUrl) return redirectTo(reply, registration.actionUrl);
    if (registration.state === 'done' && method?.status === 'active')
      return redirectTo(reply, withStatus(registration.redirectUrl, 'success', method.id) ?? back);
    return sendPage(
      reply,
      422,
      linkPage(shown, { gateway: form.gateway, accountHolder: '', iban: '', problems: ['provider'] }),
      rightsOf(opened),
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
      return sendPage(
        reply,
        404,
        resultPage('gone', { language: languageFor(undefined, undefined, accepted), ...GONE }),
      );
    const target = withStatus(returned.redirectUrl, STATUS_WORDS[returned.result], returned.methodId);
    if (target) return redirectTo(reply, target);
    const language = languageFor(undefined, returned.language, accepted);
    return sendPage(
      reply,
      200,
      resultPage(returned.result, {
        language,
        seller: returned.seller,
        look: returned.look,
        legal: returned.legal,
        methodName: returned.methodName,
        goOn: returned.actionUrl,
      }),
      rightsOf(returned),
    );
  }

  /** `words`: of the page where a method was added by the link. */
  private async usedUp(
    reply: FastifyReply,
    opened: OpenedLink,
    language: LinkLanguage,
    words: 'done' | 'used',
  ): Promise<string> {
    const result: LinkResult = opened.link.methodId === null ? 'gone' : words;
    const { look, legal } = opened;
    const methodName = await this.returnFrom.nameOf(opened.tenantId, opened.link.methodId);
    return sendPage(
      reply,
      result === 'done' ? 200 : 410,
      resultPage(result, { language, seller: opened.seller.name, look, legal, methodName, goOn: null }),
      rightsOf(opened),
    );
  }
}

const STATUS_WORDS = { done: 'success', pending: 'pending', unfinished: 'pending', failed: 'failed' } as const;

const rightsOf = ({ sandbox, look }: Pick<OpenedLink, 'sandbox' | 'look'>) => ({ sandbox, ...lookRights(look) });

const page = (opened: OpenedLink, token: string, language: LinkLanguage): LinkPage =>
  pageOf(opened, { path: `${LINK_PATH}/${token}`, language });
