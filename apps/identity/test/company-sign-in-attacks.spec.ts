import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Send, TestService } from '@kontor/testing';
import { UnsecuredJWT } from 'jose';
import { ProviderPlaces } from '../src/company-sign-in/provider-places.js';
import { Company } from './company.js';
import { CALLBACK, CompanyVisit } from './company-visits.js';
import { LyingProvider } from './lying-provider.js';
import type { People } from './people.js';

interface Try {
  readonly query?: Record<string, string>;
  readonly visit?: CompanyVisit;
}

describe("what a company's identity provider, or somebody in between, tries", () => {
  let setUp: Company;
  let test: TestService;
  let people: People;
  let liar: LyingProvider;
  let admin: Send;
  let other: Send;
  let tenantId: string;
  let settings: Record<string, unknown>;
  let callbackUrl: string;

  beforeAll(async () => {
    setUp = await Company.start();
    ({ test, people, tenantId, admin } = setUp);
    ({ admin: other } = await setUp.another('Elsewhere'));
  }, 60_000);
  beforeEach(async () => {
    liar?.stop();
    liar = await LyingProvider.start();
    settings = {
      issuer: liar.issuer,
      clientId: 'kontor',
      clientSecret: 'a secret',
      domains: ['people.example'],
      newUserRoles: ['read_only'],
    };
    const { status, body } = await admin('PUT', '/identity-provider', settings);
    expect(status).toBe(200);
    ({ callbackUrl } = body);
  });
  afterAll(async () => {
    liar?.stop();
    await setUp?.stop();
  });

  /** Begins a sign-in, and comes back with a code as the provider would. */
  async function comeBack(claims: Record<string, unknown>, { query = {}, visit = new CompanyVisit(test) }: Try = {}) {
    return { visit, ...(await visit.comeBack(liar, tenantId, claims, { query })) };
  }
  const isSignedIn = (visit: CompanyVisit): boolean => visit.cookies.has('kontor_account');
  const reasonOf = async (): Promise<string> =>
    (await admin('GET', '/audit-log?type=sign_in.failed&limit=1')).body.data[0]?.metadata.reason;

  it('the honest way: PKCE, state and nonce are sent, the code is exchanged with them, and the answer counts once', async () => {
    const { asked, back, visit, answer } = await comeBack({});
    expect([answer.status, answer.location, isSignedIn(visit)]).toEqual([303, '/public/account', true]);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'kontor',
      redirect_uri: callbackUrl,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const exchange = liar.asked.find(({ path }) => path === '/token')!;
    expect(exchange.body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(exchange.body.get('redirect_uri')).toBe(callbackUrl);
    expect([...visit.cookies.keys()]).toEqual(['kontor_account']);
    expect((await visit.open(back)).status).toBe(404);
  });

  it.each([
    [undefined, true],
    [['client_secret_basic'], true],
    [['private_key_jwt', 'client_secret_post'], false],
  ])('the secret is shown as a provider takes it that names %j', async (methods, inHeader) => {
    liar.metadata = { token_endpoint_auth_methods_supported: methods };
    expect((await comeBack({})).answer.status).toBe(303);
    const { authorization, body } = liar.asked.find(({ path }) => path === '/token')!;
    expect([authorization?.startsWith('Basic ') ?? false, body.has('client_secret')]).toEqual([inHeader, !inHeader]);
  });

  it.each([
    ['vera', { locale: 'de-AT' }, {}, 'de'],
    ['kurt', { locale: 'fr-FR' }, { lang: 'de' }, 'de'],
    ['lena', {}, {}, 'en'],
  ])('%s, who is new here, reads the language of %j, or of the page %j', async (sub, claims, query, language) => {
    const { visit } = await comeBack({ sub, email: `${sub}@people.example`, ...claims }, { query });
    expect((await visit.open('/public/account')).html).toContain(`<html lang="${language}">`);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a wrong nonce', { nonce: 'of another sign-in' }],
    ['no nonce', { nonce: undefined }],
    ['a wrong issuer', { iss: 'https://evil.example' }],
    ['a token for another client', { aud: 'somebody-else' }],
    ['a token that another client has asked for', { azp: 'x' }],
    ['several audiences, meant for another', { aud: ['kontor', 'x'], azp: 'x' }],
    ['a token that is over', { exp: 1_000_000_000 }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
  ])('%s is refused', async (_what, claims) => {
    const { visit, answer } = await comeBack(claims);
    expect([answer.status, isSignedIn(visit), await reasonOf()]).toEqual([403, false, 'answer_refused']);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["another company's address", { email: 'ada@evil.example' }, 'foreign_domain'],
    ['an address that was not checked', { email_verified: false }, 'email_not_verified'],
    ['no word of whether it was checked', { email_verified: undefined }, 'email_not_verified'],
    ['two addresses', { email: 'ada@evil.example, ada@people.example' }, 'email_missing'],
  ])('%s is refused', async (_what, claims, reason) => {
    const { visit, answer } = await comeBack(claims);
    expect([answer.status, isSignedIn(visit), await reasonOf()]).toEqual([403, false, reason]);
  });

  it.each<[string, (provider: LyingProvider) => LyingProvider['answer']]>([
    ['without a signature', () => (claims) => ({ id_token: new UnsecuredJWT(claims).encode() })],
    ['with another key', (provider) => async (claims) => ({ id_token: await provider.forge(claims) })],
    [
      'that was changed',
      (provider) => async (claims) => {
        const [head, , signature] = (await provider.sign({ ...claims, sub: 'somebody' })).split('.');
        return { id_token: `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}` };
      },
    ],
    ['left out', () => () => ({})],
    ['of no form', () => () => ({ id_token: 'x.y.z' })],
  ])('an ID token %s is refused', async (_what, answerWith) => {
    liar.answer = answerWith(liar);
    const { visit, answer } = await comeBack({});
    expect([answer.status, isSignedIn(visit)]).toEqual([403, false]);
  });

  it('an answer that names another issuer is refused before its code is sent anywhere; none where one is promised, too', async () => {
    const mixed = await comeBack({}, { query: { iss: 'https://evil.example' } });
    expect([mixed.answer.status, isSignedIn(mixed.visit)]).toEqual([403, false]);
    liar.metadata = { authorization_response_iss_parameter_supported: true };
    expect((await comeBack({})).answer.status).toBe(403);
    expect(liar.asked.filter(({ path }) => path === '/token')).toEqual([]);
    expect((await comeBack({}, { query: { iss: liar.issuer } })).answer.status).toBe(303);
  });

  it('an answer counts in the browser that asked, for the provider that was asked', async () => {
    const victim = new CompanyVisit(test);
    const attacker = await comeBack({ sub: 'none', email: 'x@evil.example' });
    expect((await victim.open(attacker.back)).status).toBe(404);
    const asked = await victim.begin(tenantId);
    const back = `${CALLBACK}?code=c&state=${asked.searchParams.get('state')}`;
    expect((await new CompanyVisit(test).open(back)).status).toBe(404);
    const successor = await LyingProvider.start();
    const changed = { ...settings, issuer: successor.issuer };
    expect((await admin('PUT', '/identity-provider', changed)).status).toBe(200);
    expect((await victim.open(back)).status).toBe(404);
    expect(successor.asked).toEqual([]);
    successor.stop();
    for (const query of ['', '?state=', '?state=x&code=y', '?error=access_denied'])
      expect((await victim.open(CALLBACK + query)).status).toBe(404);
  });

  it('a provider that is no longer the tenant’s lets nobody in with what it says late', async () => {
    const program = 'http://127.0.0.1/signed-in';
    await admin('PUT', '/identity-provider', { ...settings, redirectUris: [program] });
    const codeVerifier = 'v'.repeat(43);
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const query = { redirectUri: program, state: 's', codeChallenge };
    const honest = await new CompanyVisit(test).comeBack(liar, tenantId, {}, { begin: query });
    const code = new URL(honest.answer.location).searchParams.get('code');
    const [waiting] = await test.peek<{ row: string }>(
      `SELECT to_json(t)::text AS row FROM person_token t WHERE purpose = 'sign_in_code' ORDER BY expires_at DESC LIMIT 1`,
    );
    const successor = await LyingProvider.start();
    liar.answer = async (claims) => {
      const changed = { ...settings, issuer: successor.issuer };
      expect((await admin('PUT', '/identity-provider', changed)).status).toBe(200);
      return { id_token: await liar.sign(claims) };
    };
    const email = people.newEmail();
    const { answer, visit } = await comeBack({ sub: 'late', email });
    expect([answer.status, isSignedIn(visit)]).toEqual([404, false]);
    expect(
      (await admin('GET', '/users?limit=100')).body.data.map((user: { email: string }) => user.email),
    ).not.toContain(email);
    // Its code was on the way, too, and is written only now.
    await test.peek('INSERT INTO person_token SELECT * FROM json_populate_record(NULL::person_token, $1)', [
      waiting!.row,
    ]);
    const late = await people.anyone('POST', '/public/users/sign-in-by-code', { code, codeVerifier });
    expect(late.status).toBe(401);
    successor.stop();
  });

  it('times with parts of a second are times', async () => {
    const { answer, visit } = await comeBack({ iat: Date.now() / 1000 - 1.000_123_4 });
    expect([answer.status, isSignedIn(visit)]).toEqual([303, true]);
  });

  it('two tabs: each comes back by itself', async () => {
    const visit = new CompanyVisit(test);
    const first = await visit.begin(tenantId);
    expect((await comeBack({}, { visit })).answer.status).toBe(303);
    liar.claims = { ...liar.claims, nonce: first.searchParams.get('nonce')! };
    expect((await visit.open(`${CALLBACK}?code=c&state=${first.searchParams.get('state')}`)).status).toBe(303);
  });

  it('a refusal of the provider is a page, and not a sign-in', async () => {
    const visit = new CompanyVisit(test);
    const state = (await visit.begin(tenantId)).searchParams.get('state')!;
    const answer = await visit.open(`${CALLBACK}?${new URLSearchParams({ error: 'access_denied', state })}&lang=en`);
    expect([answer.status, answer.html]).toEqual([403, expect.stringContaining('did not work')]);
    expect(answer.html).not.toContain('access_denied');
  });

  it.each([
    ['metadata of another issuer', { issuer: 'https://evil.example' }],
    ['an address inside', { token_endpoint: 'http://169.254.169.254/token' }],
    ['keys inside', { jwks_uri: 'http://10.0.0.1/keys' }],
    ['keys in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['a page inside', { authorization_endpoint: 'http://192.168.0.1/authorize' }],
    ['a page that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('%s: the check says so, nobody gets in, and nothing inside is asked', async (_what, metadata) => {
    liar.metadata = metadata;
    const check = await admin('POST', '/identity-provider/check');
    expect(check.body).toEqual({ works: false, problem: expect.not.stringContaining('169.254') });
    const visit = new CompanyVisit(test);
    const { status, location } = await visit.open(`/public/account/company/${tenantId}`);
    if (status === 303) {
      const state = new URL(location).searchParams.get('state')!;
      expect((await visit.open(`${CALLBACK}?code=c&state=${state}`)).status).toBe(403);
    } else expect(status).toBe(403);
    expect(isSignedIn(visit)).toBe(false);
  });

  it('answers may be packed once, and are read no further than what is ever needed', async () => {
    liar.padding = 1000;
    expect((await comeBack({})).answer.status).toBe(303);
    expect((await admin('POST', '/identity-provider/check')).body).toMatchObject({ works: true });
    liar.packings = 2;
    expect((await admin('POST', '/identity-provider/check')).body).toMatchObject({ works: false });
    liar.packings = 1;
    liar.padding = 50_000_000;
    expect((await admin('POST', '/identity-provider/check')).body).toMatchObject({ works: false });
    expect((await new CompanyVisit(test).open(`/public/account/company/${tenantId}`)).status).toBe(403);
  });

  it('that does not answer keeps eight waiting at most: the next are refused at once, and other tenants go on', async () => {
    const way = `/public/account/company/${tenantId}`;
    const visit = new CompanyVisit(test);
    const asked = await visit.begin(tenantId);
    const state = asked.searchParams.get('state')!;
    liar.claims = { sub: 'ada', email: 'ada@people.example', email_verified: true, name: 'Ada Berg' };
    liar.claims['nonce'] = asked.searchParams.get('nonce');
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const places = test.service.get(ProviderPlaces);
    const waiting = Promise.all(Array.from({ length: 8 }, () => places.run(tenantId, () => answered)));
    for (const path of [way, `${CALLBACK}?code=c&state=${state}`]) {
      const { status, headers } = await visit.open(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '2']);
    }
    const { tenantId: elsewhere, admin: theirs } = await setUp.another('Has another provider');
    await theirs('PUT', '/identity-provider', settings);
    expect((await new CompanyVisit(test).open(way.replace(tenantId, elsewhere))).status).toBe(303);
    answer();
    await waiting;
    // What was begun is finished by the same answer of the provider.
    expect((await visit.open(`${CALLBACK}?code=c&state=${state}`)).location).toBe('/public/account');
  });

  it('claims from elsewhere are of the same person', async () => {
    liar.userinfo = { sub: 'ada', email: 'ada@people.example', email_verified: true };
    expect((await comeBack({ email: undefined, email_verified: undefined })).answer.status).toBe(303);
    liar.userinfo = { sub: 'boss', email: 'boss@people.example', email_verified: true };
    expect((await comeBack({ email: undefined, email_verified: undefined })).answer.status).toBe(403);
  });

  it('speaks for its own tenant: it makes nobody a user who has an account elsewhere, and opens no account', async () => {
    const email = await people.join(other, ['administrator']);
    const stolen = await comeBack({ sub: 'thief', email });
    expect([stolen.answer.status, isSignedIn(stolen.visit)]).toEqual([403, false]);
    // The same person in both: the session is of the one tenant.
    const both = await people.join(admin, ['support']);
    const path = await people.invite(other, both, ['administrator']);
    const { visit, answer } = await comeBack({ sub: 'both', email: both });
    expect(answer.status).toBe(303);
    const invited = await visit.open(`${path}?lang=en`);
    expect(invited.html).toContain('Sign in to accept');
    expect(invited.html).toContain('Set a password first');
    expect((await visit.submit(path, { csrf: 'x' })).status).toBe(200);
    expect(
      (await other('GET', '/users?limit=100')).body.data.some((user: { email: string }) => user.email === both),
    ).toBe(false);
  });

  it('knows people by its own name for them: an address that goes to somebody else brings no rights with it', async () => {
    const email = await people.join(admin, ['administrator']);
    expect((await comeBack({ sub: 'first', email })).answer.status).toBe(303);
    expect((await comeBack({ sub: 'second', email })).answer.status).toBe(403);
    expect((await comeBack({ sub: 'first', email: 'renamed@people.example' })).answer.status).toBe(303);
    const { data } = (await admin('GET', '/users?limit=100')).body;
    expect(data.some((user: { email: string }) => user.email === 'renamed@people.example')).toBe(false);
  });

  it('a second factor of the provider is enough, where one is asked for; a single one of its factors is not', async () => {
    expect((await comeBack({ sub: 'mfa', email: 'mfa@people.example' })).answer.status).toBe(303);
    expect((await admin('PUT', '/identity-provider', { ...settings, secondFactorRequired: true })).status).toBe(200);
    const claims = { sub: 'mfa', email: 'mfa@people.example' };
    expect((await comeBack({ ...claims, amr: ['pwd', 'mfa'] })).answer.status).toBe(303);
    for (const amr of [['pwd'], 'mfa', [], undefined])
      expect((await comeBack({ ...claims, amr })).answer.status).toBe(403);
  });
});
