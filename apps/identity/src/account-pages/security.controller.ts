import { Operation } from '@kontor/service-kit';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeleteAccount } from '../users/delete-account.js';
import { SIGN_IN_PATH } from '../users/account-paths.js';
import { SignIn } from '../users/sign-in.js';
import { Browser, redirect, send, type Visitor } from './browser.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import { ChangeSecurity } from './change-security.js';
import { companyAccountPage } from './company-pages.js';
import { ConfirmPerson } from './confirm-person.js';
import { formOf, openPage, pageOf } from './operations.js';
import { messagePage } from './page-parts.js';
import { type Outcome, ShowSecurity } from './show-security.js';

/** The page on which somebody sees and changes what one signs in with. */
@Controller('public/account')
export class SecurityController {
  constructor(
    private readonly browser: Browser,
    private readonly show: ShowSecurity,
    private readonly change: ChangeSecurity,
    private readonly signIn: SignIn,
    private readonly confirm: ConfirmPerson,
    private readonly deleteAccount: DeleteAccount,
  ) {}

  @Get()
  @Operation({
    id: 'showAccount',
    summary:
      'The page of an account: password, second factor, passkeys, sessions; who is not signed in is led there by 303',
    ...openPage,
    errors: { 303: 'Leads to the sign-in.' },
  })
  async page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const visitor = await this.browser.anyVisitor(request);
    return visitor ? this.answer(request, reply, visitor, {}) : toSignIn(request, reply);
  }

  @Post()
  @Operation({
    id: 'changeAccount',
    summary: 'Change what one signs in with, end sessions, or sign out',
    description:
      '`action` says what: change_name, change_password, change_email, totp_start, totp_confirm, totp_end, recovery_new, passkey_add, ' +
      'passkey_remove, end_session, end_others, delete_account, sign_out. What protects the account can be changed for a quarter of an hour after signing in.',
    ...openPage,
    ...formOf([
      'action',
      'csrf',
      'id',
      'setup',
      'code',
      'password',
      'newPassword',
      'email',
      'passkey',
      'challenge',
      'name',
      'firstName',
      'lastName',
    ]),
    errors: {
      303: 'Leads on.',
      403: 'Sent by another site, or for another session; of the latter the page says so.',
      422: 'Something is refused; the page says why.',
    },
  })
  async submit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const visitor = await this.browser.anyVisitor(request);
    if (!visitor) return toSignIn(request, reply);
    const form = this.browser.formOf(visitor, request);
    if (!form) {
      const { language } = pageOf(request, visitor.person);
      return this.answer(request, reply, visitor, { error: ACCOUNT_TEXTS[language].oldForm }, 403);
    }
    const action = form.get('action') ?? '';
    if (action === 'sign_out') {
      await this.browser.signOut(reply, visitor);
      return redirect(reply, SIGN_IN_PATH);
    }
    if (visitor.session.onlyTenant !== null || this.change.needsFreshSignIn(action, visitor))
      return toSignIn(request, reply);
    const { language } = pageOf(request, visitor.person);
    if (action === 'delete_account') return this.delete(request, reply, visitor, form);
    const outcome = await this.change.execute(action, { request, visitor, form, language });
    return this.answer(request, reply, (await this.browser.visitor(request)) ?? visitor, outcome);
  }

  private async delete(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    form: URLSearchParams,
  ): Promise<string> {
    const page = pageOf(request, visitor.person);
    const t = ACCOUNT_TEXTS[page.language];
    const refusal = await this.confirm.refuse(visitor.person, form, page.language);
    if (refusal) return this.answer(request, reply, visitor, { error: refusal });
    const needed = await this.deleteAccount.execute(visitor.person);
    if (needed !== null) return this.answer(request, reply, visitor, { error: t.deleteRefused(needed) });
    this.browser.forget(reply);
    return send(reply, 200, messagePage(page, t.deleted, t.deletedText));
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    outcome: Outcome,
    refused = 422,
  ): Promise<string> {
    const { onlyTenant } = visitor.session;
    if (onlyTenant !== null) {
      const company = (await this.signIn.tenantsOf(visitor.person.id)).find(({ id }) => id === onlyTenant);
      return company
        ? send(reply, 200, companyAccountPage(pageOf(request, visitor.person), visitor, company.name))
        : toSignIn(request, reply);
    }
    const { html, script } = await this.show.execute(request, visitor, outcome);
    return send(reply, outcome.error ? refused : 200, html, script);
  }
}

function toSignIn(request: FastifyRequest, reply: FastifyReply): string {
  const { lang } = request.query as { lang?: string };
  const language = lang === 'de' || lang === 'en' ? `&lang=${lang}` : '';
  return redirect(reply, `${SIGN_IN_PATH}?next=/public/account${language}`);
}
