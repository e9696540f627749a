import { Operation } from '@kontor/service-kit';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ChangeAccount } from '../accounts/change-account.js';
import { problemOfPassword } from '../accounts/check-password.js';
import { hashPassword, isPassword } from '../accounts/password-hash.js';
import { fullName, type Person } from '../accounts/person.js';
import { AcceptInvitation, type OpenInvitation } from '../users/accept-invitation.js';
import { ACCOUNT_PATH, SIGN_IN_PATH } from '../users/account-paths.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import { Browser, redirect, send, type Visitor } from './browser.js';
import { formOf, openPage, pageOf } from './operations.js';
import { type AccountPage, messagePage, nameIn } from './page-parts.js';
import { confirmEmailPage, invitationPage, joinPage, type NewAccount, resetPage } from './sign-in-pages.js';

const NOTHING_FILLED: NewAccount = { firstName: '', lastName: '', problems: {} };

/** The pages behind links in mails. Opening one changes nothing, because programs that check mails open links. */
@Controller('public/account')
export class LinkPagesController {
  constructor(
    private readonly browser: Browser,
    private readonly accept: AcceptInvitation,
    private readonly change: ChangeAccount,
  ) {}

  @Get('invitation/:token')
  @Operation({ id: 'showUserInvitation', summary: 'The page behind an invitation', ...openPage })
  async showInvitation(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const open = await this.accept.look(token);
    if (!open) return gone(request, reply);
    const visitor = await this.browser.visitor(request);
    return send(reply, 200, pageFor(invitationFrame(request, open), open, visitor));
  }

  @Post('invitation/:token')
  @Operation({
    id: 'acceptUserInvitation',
    summary: 'Accept an invitation, with a new account or the one that is signed in; leads on by 303',
    ...openPage,
    ...formOf(['firstName', 'lastName', 'password', 'csrf']),
    errors: {
      303: 'Leads on.',
      403: 'Sent by another site, or for another session; of the latter the page asks again.',
      422: 'Something is missing or wrong; the page says what.',
    },
  })
  async submitInvitation(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const open = await this.accept.look(token);
    if (!open) return this.again(token, request, reply);
    const page = invitationFrame(request, open);
    if (open.isKnown) return this.join(token, open, page, request, reply);
    const form = this.browser.form(request);
    const filled = readNewAccount(form, open, page);
    if (Object.keys(filled.problems).length > 0) return send(reply, 422, invitationPage(page, open, filled));
    const { firstName, lastName } = filled;
    const passwordHash = await hashPassword(form.get('password')!);
    const person = await this.accept.acceptAsNew(token, { firstName, lastName, passwordHash, language: page.language });
    return person ? this.enter(person, request, reply) : this.again(token, request, reply);
  }

  @Get('reset/:token')
  @Operation({ id: 'showPasswordReset', summary: 'The page behind a link for a new password', ...openPage })
  async showReset(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const person = await this.change.ownerOfReset(token);
    return person ? send(reply, 200, resetPage(pageOf(request, person), null)) : gone(request, reply);
  }

  @Post('reset/:token')
  @Operation({
    id: 'resetPassword',
    summary: 'Set a new password with the link, once; all sessions of the person end',
    ...openPage,
    ...formOf(['password']),
    errors: { 403: 'Sent by another site.', 422: 'The password is refused; the page says why.' },
  })
  async submitReset(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const person = await this.change.ownerOfReset(token);
    if (!person) return gone(request, reply);
    const page = pageOf(request, person);
    const t = ACCOUNT_TEXTS[page.language];
    const password = this.browser.form(request).get('password') ?? '';
    const problem = problemOfPassword(password, person);
    if (problem) return send(reply, 422, resetPage(page, t.problems[problem]));
    if (!(await this.change.resetPassword(token, password))) return gone(request, reply);
    const link = { href: SIGN_IN_PATH, label: t.signIn };
    return send(reply, 200, messagePage(page, t.passwordSet, t.passwordSetText, link));
  }

  @Get('email/:token')
  @Operation({ id: 'showEmailConfirmation', summary: 'The page behind a link that confirms an address', ...openPage })
  async showEmail(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const email = await this.change.addressToConfirm(token);
    return email === null ? gone(request, reply) : send(reply, 200, confirmEmailPage(pageOf(request), email));
  }

  @Post('email/:token')
  @Operation({
    id: 'confirmEmail',
    summary: 'Confirm an e-mail address with the link, once',
    ...openPage,
    ...formOf([]),
    errors: { 403: 'Sent by another site.' },
  })
  async submitEmail(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    this.browser.form(request);
    if (!(await this.change.confirmAddress(token))) return gone(request, reply);
    const page = pageOf(request);
    const t = ACCOUNT_TEXTS[page.language];
    return send(
      reply,
      200,
      messagePage(page, t.emailConfirmed, t.emailConfirmedText, { href: ACCOUNT_PATH, label: t.goOn }),
    );
  }

  private async join(
    token: string,
    open: OpenInvitation,
    page: AccountPage,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const visitor = await this.browser.visitor(request);
    if (!visitor) return send(reply, 200, pageFor(page, open, null));
    // A form without the value of the session was shown before there was an account: somebody invited twice fills in two.
    const form = this.browser.formOf(visitor, request);
    if (!form || !isMeant(open, visitor)) return send(reply, form ? 200 : 403, pageFor(page, open, visitor));
    const person = await this.accept.acceptAs(token, visitor.person);
    return person ? redirect(reply, ACCOUNT_PATH) : this.again(token, request, reply);
  }

  /** A second click goes on as the first one does: for who is signed in, or has chosen that password. */
  private async again(token: string, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const person = await this.accept.justAccepted(token);
    if (!person) return gone(request, reply);
    const visitor = await this.browser.visitor(request);
    if (visitor?.person.id === person.id) return redirect(reply, ACCOUNT_PATH);
    const password = this.browser.form(request).get('password') ?? '';
    const mayEnter = person.totpSecret === null && (await isPassword(password, person.passwordHash));
    return mayEnter ? this.enter(person, request, reply) : gone(request, reply);
  }

  private async enter(person: Person, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    await this.browser.signIn(request, reply, person, { methods: ['password'] });
    return redirect(reply, ACCOUNT_PATH);
  }
}

const isMeant = ({ invitation }: OpenInvitation, { person }: Visitor): boolean =>
  person.email.toLowerCase() === invitation.email.toLowerCase();

function pageFor(page: AccountPage, open: OpenInvitation, visitor: Visitor | null): string {
  if (!open.isKnown) return invitationPage(page, open, NOTHING_FILLED);
  const who = visitor && { name: fullName(visitor.person), csrf: visitor.csrf, isMeant: isMeant(open, visitor) };
  return joinPage(page, open, who);
}

const invitationFrame = (request: FastifyRequest, { invitation, tenant }: OpenInvitation): AccountPage => ({
  ...pageOf(request, invitation),
  seller: tenant.name,
});

function readNewAccount(form: URLSearchParams, { invitation }: OpenInvitation, { language }: AccountPage): NewAccount {
  const t = ACCOUNT_TEXTS[language];
  const [firstName, lastName] = [nameIn(form, 'firstName'), nameIn(form, 'lastName')];
  const problem = problemOfPassword(form.get('password') ?? '', { email: invitation.email, firstName, lastName });
  return {
    firstName,
    lastName,
    problems: {
      ...(firstName ? {} : { firstName: t.missing }),
      ...(lastName ? {} : { lastName: t.missing }),
      ...(problem ? { password: t.problems[problem] } : {}),
    },
  };
}

/** Of a form that was sent twice, a browser shows the answer to the second time. */
function gone(request: FastifyRequest, reply: FastifyReply): string {
  const page = pageOf(request);
  const t = ACCOUNT_TEXTS[page.language];
  if (request.method === 'GET') return send(reply, 404, messagePage(page, t.gone, t.goneText));
  const signIn = { href: SIGN_IN_PATH, label: t.signIn };
  return send(reply, 404, messagePage(page, t.gone, `${t.goneText} ${t.goneTwice}`, signIn));
}
