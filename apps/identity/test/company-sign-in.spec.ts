import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal, eventually, type Send, servicePrincipal, type TestService } from '@kontor/testing';
import { ServiceConfig } from '@kontor/service-kit';
import { SecondFactor } from '../src/accounts/second-factor.js';
import { totpCode, totpStep } from '../src/secrets/totp.js';
import { Company } from './company.js';
import { COMPANY_SECRET, CompanyProvider } from './company-provider.js';
import { CompanyVisit } from './company-visits.js';
import type { People } from './people.js';

const PROGRAM = 'https://console.example/signed-in';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** A company's provider is another `oidc-provider`: what it and we agree upon is the standard. */
describe("sign-in at a company's own identity provider", () => {
  let setUp: Company;
  let test: TestService;
  let people: People;
  let company: CompanyProvider;
  let admin: Send;
  let tenantId: string;
  let settings: Record<string, unknown>;
  let callbackUrl: string;

  beforeAll(async () => {
    setUp = await Company.start();
    ({ test, people, tenantId, admin } = setUp);
    callbackUrl = `${test.service.get(ServiceConfig).publicUrl}/public/account/company/callback`;
    company = await CompanyProvider.start(callbackUrl);
    settings = {
      issuer: company.issuer,
      clientId: 'kontor',
      clientSecret: COMPANY_SECRET,
      domains: ['company.example'],
      newUserRoles: ['read_only'],
      redirectUris: [PROGRAM],
    };
  }, 60_000);
  afterAll(async () => {
    company?.stop();
    await setUp?.stop();
  });

  const set = async (more: Record<string, unknown> = {}): Promise<void> => {
    const { status, body } = await admin('PUT', '/identity-provider', { ...settings, ...more });
    expect([status, body]).toEqual([200, expect.objectContaining({ issuer: company.issuer })]);
  };
  const named = (sub: string, firstName = 'Ada'): string => {
    const email = `${sub}@company.example`;
    company.account = { sub, email, email_verified: true, given_name: firstName, family_name: 'Berg' };
    return email;
  };
  /** Signs in whoever the provider names. */
  const signIn = async (visit = new CompanyVisit(test), query: Record<string, string> = {}) =>
    visit.open(await company.walk((await visit.begin(tenantId, query)).href));
  const tokensFor = async () => {
    const back = await signIn(undefined, { redirectUri: PROGRAM, state: 'of the program', codeChallenge: CHALLENGE });
    const at = new URL(back.location);
    expect([back.status, at.origin + at.pathname, at.searchParams.get('state')]).toEqual([
      303,
      PROGRAM,
      'of the program',
    ]);
    return { code: at.searchParams.get('code')!, codeVerifier: VERIFIER };
  };
  const redeem = (body: object) => people.anyone('POST', '/public/users/sign-in-by-code', body);
  const verify = (token: string) =>
    test.as(servicePrincipal(tenantId, 'api-gateway'))('POST', '/internal/tokens/verify', { token });
  const entries = async (type: string) => (await admin('GET', `/audit-log?type=${type}&limit=100`)).body.data;

  it('is set by who may do everything; its secret is kept sealed, and never shown', async () => {
    expect((await admin('GET', '/identity-provider')).status).toBe(404);
    const weak = test.as(apiKeyPrincipal(tenantId, { permissions: ['user:read', 'user:write'] }));
    expect((await weak('PUT', '/identity-provider', settings)).status).toBe(403);
    const early = await admin('PUT', '/identity-provider', { ...settings, passwordAllowed: false });
    expect([early.status, early.body.reason]).toEqual([422, 'company_sign_in_unproved']);
    await set();
    const shown = await weak('GET', '/identity-provider');
    expect(shown.body).toMatchObject({
      issuer: company.issuer,
      domains: ['company.example'],
      passwordAllowed: true,
      secondFactorRequired: false,
      callbackUrl,
    });
    expect(JSON.stringify(shown.body)).not.toContain(COMPANY_SECRET);
    const again = await admin('PUT', '/identity-provider', shown.body);
    expect([again.status, again.body]).toEqual([200, { ...shown.body, updatedAt: again.body.updatedAt }]);
    expect((await weak('DELETE', '/identity-provider')).status).toBe(403);
    const rows = await test.peek<{ secret: string }>('SELECT client_secret AS secret FROM identity_provider');
    expect(rows).toEqual([{ secret: expect.stringMatching(/^k1\./) }]);
    expect(JSON.stringify(await entries('identity_provider.changed'))).not.toContain(COMPANY_SECRET);
    expect((await admin('POST', '/identity-provider/check')).body).toEqual({ works: true, problem: null });

    const { clientSecret: _left, ...without } = settings;
    expect((await admin('PUT', '/identity-provider', { ...without, domains: ['company.example'] })).status).toBe(200);
    const moved = await admin('PUT', '/identity-provider', { ...without, issuer: 'https://evil.example' });
    expect([moved.status, moved.body.violations[0].propertyPath]).toEqual([422, 'clientSecret']);
  });

  it.each([
    [{ issuer: 'http://10.0.0.1' }, 422],
    [{ issuer: 'http://169.254.169.254/latest' }, 422],
    [{ issuer: 'https://u:p@login.example' }, 422],
    [{ issuer: 'https://login.example/?x=1' }, 422],
    [{ issuer: 'ftp://login.example' }, 422],
    [{ issuer: '' }, 422],
    [{ domains: [] }, 422],
    [{ domains: ['Company.example'] }, 422],
    [{ domains: ['*.example'] }, 422],
    [{ domains: ['a@company.example'] }, 422],
    [{ domains: [`${'a.'.repeat(122)}company.xy`] }, 422],
    [{ newUserRoles: ['nothing'] }, 422],
    [{ redirectUris: ['http://console.example/'] }, 422],
  ])('%j is refused', async (more, status) => {
    expect((await admin('PUT', '/identity-provider', { ...settings, ...more })).status).toBe(status);
  });

  it('is offered on the sign-in page to addresses of the company, known or not', async () => {
    await set();
    const ask = (email: string) => people.post('/public/account/sign-in?lang=en', { email, company: 'yes' });
    const offered = await ask('whoever@company.example');
    expect([offered.status, await offered.text()]).toEqual([200, expect.stringContaining('Sign in with Company')]);
    const none = await ask('whoever@elsewhere.example');
    expect([none.status, await none.text()]).toEqual([
      200,
      expect.stringContaining('Nobody with an address like this'),
    ]);
    expect((await ask('nothing')).status).toBe(401);
  });

  it('makes a user at the first sign-in, finds it at the next, and shows the account without letting it be changed', async () => {
    await set();
    const email = named('new');
    const visit = new CompanyVisit(test);
    const done = await signIn(visit);
    expect([done.status, done.location]).toEqual([303, '/public/account']);
    const account = await visit.open('/public/account?lang=en');
    expect([account.status, account.html]).toEqual([200, expect.stringContaining('You are signed in with Company.')]);
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.html)![1]!;
    for (const action of ['totp_start', 'change_password', 'change_email', 'passkey_add', 'end_others'])
      expect([action, (await visit.submit('/public/account', { csrf, action })).location]).toEqual([
        action,
        '/public/account/sign-in?next=/public/account',
      ]);
    const { data } = (await admin('GET', '/users?limit=100')).body;
    expect(data.filter((user: { email: string }) => user.email === email)).toEqual([
      expect.objectContaining({ roles: ['read_only'], fullName: 'Ada Berg' }),
    ]);
    expect((await signIn()).status).toBe(303);
    expect((await admin('GET', '/users?limit=100')).body.data).toHaveLength(data.length);
    const joined = (await entries('user.joined'))[0];
    expect(joined).toMatchObject({ subject: { name: 'Ada Berg' }, metadata: { roles: ['read_only'], by: 'company' } });
    const entry = await eventually(async () => (await entries('sign_in.succeeded'))[0], 'the sign-in in the log');
    expect(entry).toMatchObject({ actor: { name: 'Ada Berg' }, metadata: { methods: ['company'], browser: true } });
    expect((await visit.submit('/public/account', { csrf, action: 'sign_out' })).location).toBe(
      '/public/account/sign-in',
    );
  });

  it('gives a program a code, which it alone can redeem, once', async () => {
    await set();
    const email = await people.join(admin, ['accounting']);
    company.account = { ...company.account, sub: email, email, email_verified: true };
    await set({ domains: ['company.example', 'people.example'] });
    const given = await tokensFor();
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(given)));
    const taken = answers.filter(({ status }) => status === 200);
    expect([taken.length, answers.filter(({ status }) => status === 401).length]).toEqual([1, 4]);
    const { data } = taken[0]!.body;
    expect(data).toMatchObject({ tenantId, tenants: [{ id: tenantId, name: 'Company' }] });
    const { body } = await verify(data.accessToken);
    expect(body.principal.permissions).toContain('transaction:write');
    const stolen = await tokensFor();
    expect((await redeem({ ...stolen, codeVerifier: 'w'.repeat(43) })).status).toBe(401);
    expect((await redeem(stolen)).status).toBe(401);
    const renewed = await people.anyone('POST', '/public/users/refresh', { refreshToken: data.refreshToken });
    expect(renewed.body.data.tenants).toEqual([expect.objectContaining({ id: tenantId })]);
    const [{ hours }] = (await test.peek<{ hours: number }>(
      `SELECT max(extract(epoch FROM expires_at - signed_in_at) / 3600)::float AS hours FROM person_session WHERE methods ? 'company'`,
    )) as [{ hours: number }];
    expect(hours).toBeLessThanOrEqual(12);
    for (const query of [
      { redirectUri: 'https://evil.example/', state: 'x', codeChallenge: CHALLENGE },
      { redirectUri: PROGRAM, state: 'x' },
      { redirectUri: PROGRAM, state: 'x', codeChallenge: 'short' },
    ])
      expect(
        (
          await new CompanyVisit(test).open(
            `/public/account/company/${tenantId}?${new URLSearchParams(query as never)}`,
          )
        ).status,
      ).toBe(404);
  });

  it('where passwords are forbidden, they are: at once, for open sessions too', async () => {
    const email = await people.join(admin, ['support']);
    const { accessToken } = await people.tokens(email);
    expect((await verify(accessToken)).status).toBe(200);
    await set({ passwordAllowed: false });
    expect((await verify(accessToken)).status).toBe(401);
    expect((await people.signIn(email)).body.reason).toBe('company_sign_in_required');
    named('new');
    expect((await redeem(await tokensFor())).status).toBe(200);
    await set();
    expect((await people.signIn(email)).status).toBe(200);
  });

  it('asks for a code of the person where the tenant wants a second factor and the provider says nothing of one', async () => {
    await set({ secondFactorRequired: true });
    named('new');
    expect((await signIn()).status).toBe(403);
    const email = await people.join(admin, ['support']);
    expect((await people.signIn(email)).body.reason).toBe('second_factor_missing');

    await set({ secondFactorRequired: true, domains: ['people.example'] });
    company.account = { ...company.account, sub: email, email };
    const secret = Buffer.from('12345678901234567890');
    const factor = test.service.get(SecondFactor);
    const [{ id }] = (await test.peek<{ id: string }>('SELECT id FROM person WHERE email = $1', [email])) as [
      { id: string },
    ];
    await test.peek('UPDATE person SET totp_secret = $2, totp_step = 1 WHERE id = $1', [id, factor.seal(secret, id)]);
    const visit = new CompanyVisit(test);
    const asked = await signIn(visit);
    expect([asked.status, visit.cookies.has('kontor_account')]).toEqual([200, false]);
    const pending = /name="pending" value="([^"]+)"/.exec(asked.html)![1]!;
    const give = (code: string) => visit.submit('/public/account/company/code', { pending, code });
    expect((await give('000000')).status).toBe(401);
    expect(
      (await visit.submit('/public/account/sign-in', { pending, code: totpCode(secret, totpStep(new Date())) }))
        .location,
    ).toBe('/public/account/sign-in?lang=en');
    const right = totpCode(secret, totpStep(new Date()));
    for (const click of await Promise.all([give(right), give(right)])) expect(click.location).toBe('/public/account');
    expect(visit.cookies.has('kontor_account')).toBe(true);
    expect((await give(totpCode(secret, totpStep(new Date()) + 1))).status).toBe(404);
    await set();
  });

  it('lets nobody in who was removed, whose provider was removed, or when the tenant is suspended', async () => {
    await set();
    const email = named('leaver', 'Leo');
    const { data } = (await redeem(await tokensFor())).body;
    const user = (await admin('GET', '/users?limit=100')).body.data.find(
      (found: { email: string }) => found.email === email,
    );
    expect((await admin('DELETE', `/users/${user.id}`)).status).toBe(204);
    expect((await verify(data.accessToken)).status).toBe(401);
    expect((await signIn()).status).toBe(403);
    const [failed] = await entries('sign_in.failed');
    expect(failed).toMatchObject({ metadata: { by: 'company', reason: 'not_a_user', email } });

    named('new');
    const { data: other } = (await redeem(await tokensFor())).body;
    const visit = new CompanyVisit(test);
    const back = await company.walk((await visit.begin(tenantId)).href);
    expect((await admin('DELETE', '/identity-provider')).status).toBe(204);
    expect((await visit.open(back)).status).toBe(404);
    expect((await verify(other.accessToken)).status).toBe(401);
    expect((await visit.open(`/public/account/company/${tenantId}`)).status).toBe(404);
    expect((await entries('identity_provider.removed'))[0]).toMatchObject({ subject: { name: company.issuer } });
  });
});
