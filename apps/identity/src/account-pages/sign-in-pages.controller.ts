import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Operation, requestContext, ServiceConfig } from '@kontor/service-kit';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { aboutPeople, noteAccountEvent } from '../accounts/account-events.js';
import { CheckPassword } from '../accounts/check-password.js';
import { lookAtToken, makeToken } from '../accounts/one-time-tokens.js';
import { Passkeys } from '../accounts/passkeys.js';
import { type Person, personById, single } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';
import { CompanySignIn } from '../company-sign-in/company-sign-in.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import { Browser, languageOf, redirect, safeNext, send, type SignedIn } from './browser.js';
import { companiesPage } from './company-pages.js';
import { formOf, openPage, pageOf } from './operations.js';
import { messagePage } from './page-parts.js';
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_TAG, passkeySignInForm } from './passkey-parts.js';
import { relyingPartyOf } from './relying-party.js';
import { codePage, forgotPage, signInPage } from './sign-in-pages.js';

const CODE_MINUTES = 10;

/** The pages on which people sign in, and ask for a new password. */
@Controller('public/account')
export class SignInPagesController {
  constructor(
    private readonly db: Database,
    private readonly browser: Browser,
    private readonly checkPassword: CheckPassword,
    private readonly secondFactor: SecondFactor,
    private readonly passkeys: Passkeys,
    private readonly companies: CompanySignIn,
    private readonly config: ServiceConfig,
  ) {}

  @Get('sign-in')
  @Operation({
    id: 'showUserSignIn',
    summary: 'The page on which people sign in',
    ...openPage,
    query: { ...openPage.query, next: { type: 'string' } },
  })
  show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { next } = request.query as { next?: unknown };
    const wanted = safeNext(typeof next === 'string' ? next : null);
    return this.ask(request, reply, 200, { email: '', next: wanted, error: null });
  }

  @Post('sign-in')
  @Operation({
    id: 'submitUserSignIn',
    summary: 'Sign in with a password, and a code where one is set up; leads on by 303',
    description:
      '`company`: shows the companies whose people have e-mail addresses like this one, and the way to their sign-in.',
    ...openPage,
    ...formOf(['email', 'password', 'pending', 'code', 'passkey', 'challenge', 'next', 'company']),
    errors: {
      303: 'Leads on.',
      401: 'Something is wrong; the page says so.',
      403: 'Sent by another site.',
      429: 'Too many attempts; the page says so.',
    },
  })
  async submit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const form = this.browser.form(request);
    const page = pageOf(request);
    const t = ACCOUNT_TEXTS[page.language];
    const next = safeNext(form.get('next'));
    const email = (form.get('email') ?? '').trim().slice(0, 254);
    const retry = (status: number, error: string): Promise<string> =>
      this.ask(request, reply, status, { email, next, error });
    try {
      if (form.has('company')) return await this.showCompanies(request, reply, email, next);
      if (form.has('passkey')) return await this.submitPasskey(request, reply, form, next);
      if (form.has('pending')) return await this.submitCode(request, reply, form, next);
      const person = await this.checkPassword.execute(email, (form.get('password') ?? '').slice(0, 1000), addressOf());
      if (person.totpSecret === null) return await this.enter(request, reply, person, ['password'], next);
      const pending = await makeToken(single(this.db), 'second_factor', { personId: person.id, minutes: CODE_MINUTES });
      return send(reply, 200, codePage(page, { pending, next, error: null }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.reason === 'invalid_credentials') return await retry(401, t.wrong);
      if (error.reason !== 'rate_limited') throw error;
      void reply.header('retry-after', String(error.retryAfterSeconds ?? 60));
      return await retry(429, t.tooMany);
    }
  }

  @Get('forgot-password')
  @Operation({ id: 'showForgotPassword', summary: 'The page on which people ask for a new password', ...openPage })
  showForgot(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string {
    return send(reply, 200, forgotPage(pageOf(request), { email: '', isRefused: false }));
  }

  @Post('forgot-password')
  @Operation({
    id: 'submitForgotPassword',
    summary: 'Have a link for a new password mailed; answers alike for every address',
    ...openPage,
    ...formOf(['email']),
    requestBody: {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email', maxLength: 254 } },
    },
    errors: { 403: 'Sent by another site.', 422: 'No e-mail address; the page says so.' },
  })
  async submitForgot(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const form = this.browser.form(request);
    const page = pageOf(request);
    const t = ACCOUNT_TEXTS[page.language];
    const email = (form.get('email') ?? '').trim();
    if (email.length > 254 || !isEmail(email))
      return send(reply, 422, forgotPage(page, { email: email.slice(0, 254), isRefused: true }));
    await aboutPeople(this.db, (tx) =>
      noteAccountEvent(tx, { type: 'password.reset_requested', personId: null, email }),
    );
    return send(reply, 200, messagePage(page, t.mailSent, t.mailSentText(email)));
  }

  private async showCompanies(
    request: FastifyRequest,
    reply: FastifyReply,
    email: string,
    next: string,
  ): Promise<string> {
    if (!isEmail(email)) {
      const error = ACCOUNT_TEXTS[pageOf(request).language].emailProblem;
      return this.ask(request, reply, 401, { email, next, error });
    }
    return send(reply, 200, companiesPage(pageOf(request), await this.companies.tenantsFor(email), next));
  }

  private async submitCode(
    request: FastifyRequest,
    reply: FastifyReply,
    form: URLSearchParams,
    next: string,
  ): Promise<string> {
    const page = pageOf(request);
    const pending = form.get('pending') ?? '';
    const open = await lookAtToken(single(this.db), 'second_factor', pending);
    const person = open?.personId ? await personById(single(this.db), open.personId) : null;
    if (!person) return redirect(reply, `${page.path}?lang=${page.language}`);
    const code = (form.get('code') ?? '').slice(0, 40);
    const waiting = { purpose: 'second_factor', token: pending } as const;
    const method = await this.secondFactor.pass(waiting, person, code, addressOf());
    if (method === 'gone') return redirect(reply, page.path);
    if (!method) {
      await this.checkPassword.noteFailure(person.email);
      return send(reply, 401, codePage(page, { pending, next, error: ACCOUNT_TEXTS[page.language].wrongCode }));
    }
    return this.enter(request, reply, person, ['password', method], next);
  }

  private async submitPasskey(
    request: FastifyRequest,
    reply: FastifyReply,
    form: URLSearchParams,
    next: string,
  ): Promise<string> {
    const party = relyingPartyOf(request, this.config.publicUrl);
    const answer = { response: form.get('passkey') ?? '', challenge: form.get('challenge') ?? '' };
    const person = party && (await this.passkeys.signIn(answer, party));
    if (person) return this.enter(request, reply, person, ['passkey'], next);
    const error = ACCOUNT_TEXTS[pageOf(request).language].passkeyFailed;
    return this.ask(request, reply, 401, { email: '', next, error });
  }

  private async ask(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    given: { readonly email: string; readonly next: string; readonly error: string | null },
  ): Promise<string> {
    const page = pageOf(request);
    const party = relyingPartyOf(request, this.config.publicUrl);
    const asked = party && (await this.passkeys.requestOptions(party));
    const more = asked ? passkeySignInForm(page, given.next, asked) + PASSKEY_SCRIPT_TAG : '';
    return send(reply, status, signInPage(page, { ...given, more }), asked ? PASSKEY_SCRIPT : undefined);
  }

  private async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    methods: SignedIn['methods'],
    next: string,
  ): Promise<string> {
    await this.checkPassword.succeeded(person, addressOf());
    await this.browser.signIn(request, reply, person, { methods });
    const { lang } = request.query as { lang?: string };
    return redirect(reply, lang ? `${next}?lang=${languageOf(request)}` : next);
  }
}

const addressOf = (): string => requestContext()?.address ?? '';
