import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Operation, publicPageHeaders, requestContext, ServiceConfig } from '@kontor/service-kit';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckPassword } from '../accounts/check-password.js';
import { lookAtToken, makeToken } from '../accounts/one-time-tokens.js';
import { type Person, personById, single } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';
import { CompanySignIn, type GoesOn, type Named, type Refused } from '../company-sign-in/company-sign-in.js';
import { ACCOUNT_PATH, COMPANY_PATH } from '../users/account-paths.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import { Browser, redirect, safeNext, send } from './browser.js';
import { companyRefusedPage } from './company-pages.js';
import { formOf, openPage, pageOf } from './operations.js';
import { codePage } from './sign-in-pages.js';

const MINUTES = 10;
const CODE_MINUTES = 1;
const STATUS: Readonly<Record<Refused, number>> = {
  unknown: 404,
  failed: 403,
  refused: 403,
  second_factor_missing: 403,
};
const S256 = /^[\w-]{43}$/;

/** Who the company has named, until the code is there that the tenant asks for. */
type Waiting = Pick<Named, 'tenantId' | 'methods' | 'providerSid' | 'naming' | 'goesOn'>;

/** The way to a company's identity provider and back. */
@Controller('public/account/company')
export class CompanyPagesController {
  constructor(
    private readonly db: Database,
    private readonly browser: Browser,
    private readonly companies: CompanySignIn,
    private readonly secondFactor: SecondFactor,
    private readonly checkPassword: CheckPassword,
    private readonly config: ServiceConfig,
  ) {}

  @Get('callback')
  @Operation({
    id: 'finishCompanySignIn',
    summary: "Where a company's identity provider leads a browser back to; leads on by 303",
    ...openPage,
    query: { ...openPage.query, state: text(200), code: text(3_000), iss: text(500), error: text(200) },
    errors: {
      303: 'Leads on.',
      403: 'Nobody was let in; the page says why.',
      404: 'No such sign-in in this browser.',
      503: '`service_overloaded`: too many wait for the provider; the same address counts later.',
    },
  })
  async finish(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const at = request.url.indexOf('?');
    const search = at < 0 ? '' : request.url.slice(at);
    const name = cookieName(new URLSearchParams(search).get('state') ?? '');
    const named = await this.companies.finish(search, secretOf(request, name), pageOf(request).language);
    this.setCookie(reply, name, '', 0);
    if (typeof named === 'string') return this.refuse(request, reply, named);
    if (!named.needsCode) return this.enter(request, reply, named, named.person);
    const { tenantId, methods, providerSid, naming, goesOn } = named;
    const payload: Waiting = { tenantId, methods, providerSid, naming, goesOn };
    const personId = named.person.id;
    const pending = await makeToken(single(this.db), 'company_code', { personId, payload, minutes: MINUTES });
    return sendCodePage(request, reply, 200, { pending, next: '', error: null });
  }

  @Post('code')
  @Operation({
    id: 'submitCompanySignInCode',
    summary: 'Give the code that the tenant asks for after the sign-in with the company; leads on by 303',
    ...openPage,
    ...formOf(['pending', 'code']),
    errors: {
      303: 'Leads on.',
      401: 'The code is wrong; the page says so.',
      403: 'Sent by another site.',
      404: 'No such sign-in.',
      429: 'Too many attempts; the page says so.',
    },
  })
  async submitCode(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const form = this.browser.form(request);
    const pending = form.get('pending') ?? '';
    const t = ACCOUNT_TEXTS[pageOf(request).language];
    const sql = single(this.db);
    const open = await lookAtToken<Waiting>(sql, 'company_code', pending);
    const person = open?.personId ? await personById(sql, open.personId) : null;
    if (!open || !person) return this.refuse(request, reply, 'unknown');
    try {
      const code = (form.get('code') ?? '').slice(0, 40);
      const waiting = { purpose: 'company_code', token: pending } as const;
      const method = await this.secondFactor.pass(waiting, person, code, addressOf());
      if (method === 'gone') return this.refuse(request, reply, 'unknown');
      if (!method) {
        await this.checkPassword.noteFailure(person.email);
        return sendCodePage(request, reply, 401, { pending, next: '', error: t.wrongCode });
      }
      const methods = [...open.payload.methods, method];
      return await this.enter(request, reply, { ...open.payload, methods }, person);
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'rate_limited') throw error;
      void reply.header('retry-after', String(error.retryAfterSeconds ?? 60));
      return sendCodePage(request, reply, 429, { pending, next: '', error: t.tooMany });
    }
  }

  @Get(':tenantId')
  @Operation({
    id: 'beginCompanySignIn',
    summary:
      "Leads to the identity provider of a tenant by 303, and from there to the account, or to a program's address with a code",
    description:
      'A program sends `redirectUri` (one of the settings), `state` and `codeChallenge` (PKCE, S256), and gets `code` and `state` there. It exchanges the ' +
      'code, within a minute and once, at `POST /public/users/sign-in-by-code`.',
    ...openPage,
    query: {
      ...openPage.query,
      next: text(200),
      redirectUri: text(2_000),
      state: text(200),
      codeChallenge: { ...text(43), minLength: 43 },
    },
    errors: {
      303: 'Leads to the provider.',
      403: 'The provider cannot be asked.',
      404: 'The tenant has none.',
      503: '`service_overloaded`: too many wait for the provider.',
    },
  })
  async begin(
    @Param('tenantId') tenantId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const goesOn = goesOnOf(request.query as Record<string, unknown>);
    const begun = goesOn ? await this.companies.begin(tenantId, goesOn, addressOf()) : 'unknown';
    if (typeof begun === 'string') return this.refuse(request, reply, begun);
    this.setCookie(reply, cookieName(begun.state), begun.secret, MINUTES * 60);
    return redirect(reply, begun.url.href);
  }

  private async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    { tenantId, methods, providerSid, naming, goesOn }: Waiting,
    person: Person,
  ): Promise<string> {
    if ('next' in goesOn) {
      const signedIn = { methods, onlyTenant: tenantId, providerSid, naming };
      const refusal = await this.browser.signIn(request, reply, person, signedIn).then(() => null, refusalOf);
      return refusal ? this.refuse(request, reply, refusal) : redirect(reply, goesOn.next);
    }
    const { redirectUri, state, codeChallenge } = goesOn;
    const payload = { tenantId, methods, providerSid, naming, codeChallenge };
    const code = await makeToken(single(this.db), 'sign_in_code', {
      personId: person.id,
      payload,
      minutes: CODE_MINUTES,
    });
    const target = new URL(redirectUri);
    target.searchParams.set('code', code);
    target.searchParams.set('state', state);
    return redirect(reply, target.href);
  }

  private refuse(request: FastifyRequest, reply: FastifyReply, refused: Refused): string {
    return send(reply, STATUS[refused], companyRefusedPage({ ...pageOf(request), path: ACCOUNT_PATH }, refused));
  }

  private setCookie(reply: FastifyReply, name: string, value: string, seconds: number): void {
    const secure = this.config.publicUrl.startsWith('https:') ? '; Secure' : '';
    void reply.header(
      'set-cookie',
      `${name}=${value}; Path=${COMPANY_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    );
  }
}

/** Printable ASCII, as OAuth has it: together no more than the gateway accepts of a request's head. @see RFC 6749, appendix A */
function text(maxLength: number) {
  return { type: 'string', maxLength, pattern: '^[ -~]*$' };
}

/** What was said of somebody holds no longer, as after a logout there: the sign-in is over. */
function refusalOf(error: unknown): Refused {
  if (error instanceof DomainError && error.reason === 'invalid_credentials') return 'unknown';
  throw error;
}

const addressOf = (): string => requestContext()?.address ?? '';

function sendCodePage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  state: Parameters<typeof codePage>[1],
): string {
  const html = send(reply, status, codePage({ ...pageOf(request), path: `${COMPANY_PATH}/code` }, state));
  // Its form may lead on to a program on the person's own machine.
  void reply.headers(publicPageHeaders({ sandbox: true }));
  return html;
}

/** One for each sign-in: two tabs do not disturb each other. */
const cookieName = (state: string): string => `kontor_company_${state.replace(/[^\w-]/g, '').slice(0, 8)}`;

const secretOf = ({ headers }: FastifyRequest, name: string): string =>
  new RegExp(`(?:^|; ?)${name}=([\\w-]{43})`).exec(headers.cookie ?? '')?.[1] ?? '';

/** Null for a program that does not say what is needed. */
function goesOnOf({ next, redirectUri, state, codeChallenge }: Record<string, unknown>): GoesOn | null {
  if (redirectUri === undefined) return { next: safeNext(typeof next === 'string' ? next : null) };
  if (typeof redirectUri !== 'string' || typeof state !== 'string' || typeof codeChallenge !== 'string') return null;
  return state.length <= 200 && S256.test(codeChallenge) ? { redirectUri, state, codeChallenge } : null;
}
