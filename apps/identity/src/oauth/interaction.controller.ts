import {
  languageFor,
  Operation,
  type OperationOptions,
  type PageLanguage,
  refuseOtherSites,
  sendPage,
} from '@kontor/service-kit';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { customerName } from '../login-links/customer-name.js';
import { Interactions, type OpenInteraction } from './interactions.js';
import {
  consentPage,
  goOnPage,
  linkPage,
  mailSentPage,
  messagePage,
  type SignInPage,
  signInPage,
} from './pages/oauth-pages.js';
import { OAUTH_TEXTS } from './pages/oauth-texts.js';

const open = {
  tag: 'Public pages',
  permission: null,
  success: 200,
  responseType: 'text/html',
  query: { lang: { type: 'string' } },
} as const;
const formOf = (
  properties: Record<string, object>,
): Pick<OperationOptions, 'rawBody' | 'requestType' | 'requestBody'> => ({
  rawBody: true,
  requestType: 'application/x-www-form-urlencoded',
  requestBody: { type: 'object', properties },
});

/** The pages of a sign-in to an app: the e-mail address, the click behind the link in the mail, and consent. */
@Controller('oauth2/interaction/:uid')
export class InteractionController {
  constructor(private readonly interactions: Interactions) {}

  @Get()
  @Operation({ id: 'showSignIn', summary: 'The page that asks for the e-mail address, or for consent', ...open })
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const found = await this.interactions.open(request, reply);
    if (!found) return gone(request, reply);
    const page = pageOf(found, request);
    if (found.details.prompt.name === 'consent') return send(reply, 200, consentPage(page, scopesOf(found)));
    const hint = found.details.params['login_hint'];
    return send(reply, 200, signInPage(page, { email: typeof hint === 'string' ? hint : '', isRefused: false }));
  }

  @Post()
  @Operation({
    id: 'submitSignIn',
    summary: 'Have a link mailed, or answer the question for consent',
    ...open,
    ...formOf({ email: { type: 'string' }, answer: { type: 'string', enum: ['allow', 'deny'] } }),
  })
  async submit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    refuseOtherSites(request);
    const found = await this.interactions.open(request, reply);
    if (!found) return gone(request, reply);
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.subarray(0, 10_000).toString() : '');
    const page = pageOf(found, request);
    if (found.details.prompt.name === 'consent') {
      if (form.get('answer') === 'allow')
        return goOn(page, reply, await this.interactions.allow(found, request, reply));
      if (form.get('answer') === 'deny') return goOn(page, reply, await this.interactions.deny(found, request, reply));
      return send(reply, 200, consentPage(page, scopesOf(found)));
    }
    const email = (form.get('email') ?? '').trim().slice(0, 254);
    if (!isEmail(email)) return send(reply, 200, signInPage(page, { email, isRefused: true }));
    await this.interactions.sendLink(found, email);
    return send(reply, 200, mailSentPage(page, email));
  }

  @Get('link/:token')
  @Operation({ id: 'showSignInLink', summary: 'The page behind a link to sign in: it asks for a click', ...open })
  async showLink(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { token } = request.params as { token: string };
    const found = await this.interactions.open(request, reply);
    if (!found) return elsewhere(request, reply);
    const opened = await this.interactions.look(found, token);
    if (!opened) return used(request, reply);
    return send(reply, 200, linkPage(pageOf(found, request, opened.customer.language), customerName(opened.customer)));
  }

  @Post('link/:token')
  @Operation({
    id: 'submitSignInLink',
    summary: 'Sign in with the link, once; the page leads on',
    ...open,
    ...formOf({}),
  })
  async submitLink(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    refuseOtherSites(request);
    const { token } = request.params as { token: string };
    const found = await this.interactions.open(request, reply);
    // The form was shown in this browser: it is sent once more, and the sign-in has gone on or is over.
    if (!found) return gone(request, reply);
    const target = await this.interactions.signIn(found, token, request, reply);
    return target === null ? used(request, reply) : goOn(pageOf(found, request), reply, target);
  }
}

const scopesOf = ({ details }: OpenInteraction): string[] => String(details.params['scope'] ?? '').split(' ');

function languageOf({ query, headers }: FastifyRequest, customers?: string, asked?: unknown): PageLanguage {
  const { lang } = query as { lang?: unknown };
  const chosen = [lang, asked].find((value): value is string => typeof value === 'string');
  return languageFor(chosen?.slice(0, 2), customers, headers['accept-language']);
}

const pageOf = (found: OpenInteraction, request: FastifyRequest, customers?: string): SignInPage => ({
  language: languageOf(request, customers, found.details.params['ui_locales']),
  app: found.app,
  seller: found.seller,
  sandbox: found.sandbox,
  path: request.url.split('?', 1)[0]!,
});

function say(request: FastifyRequest, reply: FastifyReply, what: 'expired' | 'otherBrowser' | 'linkGone'): string {
  const language = languageOf(request);
  const t = OAUTH_TEXTS[language];
  return send(reply, 404, messagePage(language, t[what], t[`${what}Text`]));
}

const gone = (request: FastifyRequest, reply: FastifyReply): string => say(request, reply, 'expired');
const elsewhere = (request: FastifyRequest, reply: FastifyReply): string => say(request, reply, 'otherBrowser');
const used = (request: FastifyRequest, reply: FastifyReply): string => say(request, reply, 'linkGone');

const goOn = ({ language }: SignInPage, reply: FastifyReply, target: string): string =>
  send(reply, 200, goOnPage(language, target));

/** Apps in a sandbox may be on the machine of who tries them. */
const send = (reply: FastifyReply, status: number, html: string): string =>
  sendPage(reply, status, html, { sandbox: true });
