import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import {
  languageFor,
  type PageLanguage,
  redirectTo,
  refuseOtherSites,
  sendPage,
  ServiceConfig,
} from '@kontor/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { aboutPeople, noteAccountEvent } from '../accounts/account-events.js';
import { invalidCredentials } from '../accounts/check-password.js';
import { endSession, openBrowserSession, type PersonSession, sessionByAccess } from '../accounts/person-sessions.js';
import { type Person, personById, single } from '../accounts/person.js';
import type { Naming } from '../domain/provider-claims.js';
import type { SignInMethod } from '../domain/sign-in-policy.js';
import { isSameSecret } from '../secrets/same-secret.js';
import { ACCOUNT_PATH } from '../users/account-paths.js';

const COOKIE = 'kontor_account';
const HOURS = 12;
const MAX_FORM = 32_768;

/** Who is signed in with a browser. */
export interface Visitor {
  readonly person: Person;
  readonly session: PersonSession;
  /** What forms have to show that were made for this session. */
  readonly csrf: string;
}

/** How somebody has signed in; with what is their own, unless a tenant's identity provider has named them. */
export interface SignedIn {
  readonly methods: readonly SignInMethod[];
  readonly onlyTenant?: string | null;
  readonly providerSid?: string | null;
  readonly naming?: Naming | null;
}

/** What browsers send and get on the pages of an account: a session in a cookie of these pages alone, forms of these pages alone. */
@Injectable()
export class Browser {
  constructor(
    private readonly db: Database,
    private readonly config: ServiceConfig,
  ) {}

  /** Whoever has signed in with what is their own. What a company says of somebody does not open the account. */
  async visitor(request: FastifyRequest): Promise<Visitor | null> {
    const visitor = await this.anyVisitor(request);
    return visitor?.session.onlyTenant === null ? visitor : null;
  }

  /** Whoever has signed in, for what is open to those as well whom a company has named. */
  async anyVisitor(request: FastifyRequest): Promise<Visitor | null> {
    const token = cookieOf(request);
    const session = token === null ? null : await sessionByAccess(single(this.db), token);
    const person = session && session.tenantId === null ? await personById(single(this.db), session.personId) : null;
    return person && { person, session: session!, csrf: csrfOf(token!) };
  }

  /**
   * The fields of a form that these pages sent.
   * @throws DomainError 403 `permission_denied` for a form of another site
   */
  form(request: FastifyRequest): URLSearchParams {
    refuseOtherSites(request);
    const body = Buffer.isBuffer(request.body) ? request.body.subarray(0, MAX_FORM).toString() : '';
    return new URLSearchParams(body);
  }

  /** {@link form}; null for one of another session, as a tab has it that was open before somebody signed in again. */
  formOf(visitor: Visitor, request: FastifyRequest): URLSearchParams | null {
    const form = this.form(request);
    return isSameSecret(form.get('csrf') ?? '', visitor.csrf) ? form : null;
  }

  /** Opens a session that no one can have prepared: its secret is new, and the one before ends. */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    { methods, onlyTenant = null, providerSid = null, naming = null }: SignedIn,
  ): Promise<void> {
    const before = await this.anyVisitor(request);
    const secret = await aboutPeople(this.db, async (tx) => {
      if (before) await endSession(tx, before.person.id, before.session.id);
      await noteAccountEvent(tx, {
        type: 'sign_in.succeeded',
        personId: person.id,
        ...(onlyTenant ? { onlyTenant } : {}),
        metadata: { methods, browser: true },
      });
      const opened = await openBrowserSession(tx, { grounds: person, methods, onlyTenant, providerSid, naming });
      if (!opened) throw invalidCredentials();
      return opened;
    });
    this.setCookie(reply, secret, HOURS * 3600);
  }

  /** The account is gone, and its sessions with it. */
  forget(reply: FastifyReply): void {
    this.setCookie(reply, '', 0);
  }

  async signOut(reply: FastifyReply, { person, session }: Visitor): Promise<void> {
    await aboutPeople(this.db, async (tx) => {
      await endSession(tx, person.id, session.id);
      const { onlyTenant } = session;
      await noteAccountEvent(tx, { type: 'session.ended', personId: person.id, ...(onlyTenant ? { onlyTenant } : {}) });
    });
    this.setCookie(reply, '', 0);
  }

  private setCookie(reply: FastifyReply, value: string, seconds: number): void {
    const secure = this.config.publicUrl.startsWith('https:') ? '; Secure' : '';
    void reply.header(
      'set-cookie',
      `${COOKIE}=${value}; Path=${ACCOUNT_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    );
  }
}

const cookieOf = ({ headers }: FastifyRequest): string | null =>
  new RegExp(`(?:^|; ?)${COOKIE}=(usp_[\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? null;

/** Nobody who does not know the cookie can make it; it does not give the cookie away. */
const csrfOf = (token: string): string => createHash('sha256').update(`csrf ${token}`).digest('base64url');

export function languageOf({ query, headers }: FastifyRequest, person?: Pick<Person, 'language'> | null): PageLanguage {
  const { lang } = query as { lang?: unknown };
  return languageFor(
    typeof lang === 'string' ? lang.slice(0, 2) : undefined,
    person?.language,
    headers['accept-language'],
  );
}

/** `script`: the only one that the page may run. */
export const send = (reply: FastifyReply, status: number, html: string, script?: string): string =>
  sendPage(reply, status, html, { scripts: script === undefined ? [] : [script] });

export { redirectTo as redirect };

/** Where a sign-in goes on: a page of the account, and nowhere else. */
export const safeNext = (next: string | null | undefined): string =>
  next && next.length < 200 && new RegExp(`^${ACCOUNT_PATH}(/[\\w-]+)*$`).test(next) ? next : ACCOUNT_PATH;
