import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Send, TestService } from '@kontor/testing';
import { UnsecuredJWT } from 'jose';
import { Company } from './company.js';
import { CompanyVisit } from './company-visits.js';
import { LyingProvider } from './lying-provider.js';
import type { People } from './people.js';

const PROGRAM = 'https://console.example/signed-in';

describe("logouts that a company's identity provider reports", () => {
  let setUp: Company;
  let test: TestService;
  let people: People;
  let liar: LyingProvider;
  let admin: Send;
  let tenantId: string;
  let elsewhereId: string;

  beforeAll(async () => {
    setUp = await Company.start();
    ({ test, people, tenantId, admin } = setUp);
    ({ tenantId: elsewhereId } = await setUp.another('Elsewhere'));
  }, 60_000);
  beforeEach(async () => {
    // With another provider all sessions of the one before end.
    liar?.stop();
    liar = await LyingProvider.start();
    const { status } = await admin('PUT', '/identity-provider', {
      issuer: liar.issuer,
      clientId: 'kontor',
      clientSecret: 'a secret',
      domains: ['people.example'],
      newUserRoles: ['read_only'],
      redirectUris: [PROGRAM],
    });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    liar?.stop();
    await setUp?.stop();
  });

  async function comeBack(claims: Record<string, unknown>, begin: Record<string, string> = {}) {
    const visit = new CompanyVisit(test);
    return { visit, ...(await visit.comeBack(liar, tenantId, claims, { begin })) };
  }

  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const seconds = (): number => Math.floor(Date.now() / 1000);
  const claims = (more: Record<string, unknown> = {}) => ({
    iss: liar.issuer,
    aud: 'kontor',
    iat: seconds(),
    jti: randomUUID(),
    sub: 'ada',
    events,
    ...more,
  });
  const report = async (logout_token: string, of = tenantId): Promise<number> => {
    const path = `/public/account/company/${of}/logout`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await people.anyone('POST', path, new URLSearchParams({ logout_token }).toString(), form)).status;
  };
  const isIn = async (visit: CompanyVisit): Promise<boolean> => (await visit.open('/public/account')).status === 200;

  it('end what it has opened for the person, and nothing that was opened since', async () => {
    const ada = (await comeBack({})).visit;
    const jo = (await comeBack({ sub: 'jo', email: 'jo@people.example' })).visit;
    expect([await isIn(ada), await isIn(jo)]).toEqual([true, true]);
    const token = await liar.sign(claims({ iat: seconds() - 100 }));
    expect([await report(token), await isIn(ada)]).toEqual([200, true]);
    expect(await report(await liar.sign(claims()))).toBe(200);
    expect([await isIn(ada), await isIn(jo)]).toEqual([false, true]);
    const [entry] = (await admin('GET', '/audit-log?type=session.ended&limit=1')).body.data;
    expect(entry).toMatchObject({ subject: { name: 'Ada Berg' }, metadata: { sessions: 1, by: 'company' } });
    expect(await report(await liar.sign(claims({ sub: 'nobody' })))).toBe(200);
  });

  it('end nothing that was opened since, however soon they are shown again', async () => {
    const first = (await comeBack({ iat: seconds() - 2 })).visit;
    const token = await liar.sign(claims({ iat: seconds() - 1 }));
    expect([await report(token), await isIn(first)]).toEqual([200, false]);
    const second = (await comeBack({ iat: seconds() })).visit;
    expect([await report(token), await isIn(second)]).toEqual([200, true]);
    expect([await report(await liar.sign(claims())), await isIn(second)]).toEqual([200, false]);
  });

  it.each<[string, (made: Record<string, unknown>) => Promise<string> | string]>([
    ['signed by somebody else', (made) => liar.forge(made)],
    ['not signed', (made) => new UnsecuredJWT(made).encode()],
    ['of another issuer', (made) => liar.sign({ ...made, iss: 'https://elsewhere.example' })],
    ['for somebody else', (made) => liar.sign({ ...made, aud: 'another' })],
    ['old', (made) => liar.sign({ ...made, iat: seconds() - 900 })],
    ['without a time', (made) => liar.sign({ ...made, iat: undefined })],
    ['an ID token', (made) => liar.sign({ ...made, events: undefined, nonce: 'n' })],
    ['naming nobody and no session', (made) => liar.sign({ ...made, sub: undefined })],
    ['naming a session that cannot be read', (made) => liar.sign({ ...made, sid: ['s'] })],
    ['nothing', () => ''],
  ])('count for nothing: %s', async (_what, make) => {
    const { visit } = await comeBack({});
    expect(await report(await make(claims()))).toBe(400);
    expect(await isIn(visit)).toBe(true);
  });

  /** Two browsers of Ada's, in sessions of their own there, and one of which the provider has named none. */
  const inThree = async (): Promise<CompanyVisit[]> => {
    const visits = [];
    for (const sid of ['first', 'second', undefined]) visits.push((await comeBack({ sid })).visit);
    return visits;
  };
  const areIn = (visits: readonly CompanyVisit[]): Promise<boolean[]> => Promise.all(visits.map(isIn));

  it.each<[string, Record<string, unknown>, boolean[]]>([
    ['a session: it ends', { sub: undefined, sid: 'second' }, [true, false, true]],
    ['a session that nobody has', { sub: undefined, sid: 'third' }, [true, true, true]],
    ['a session and its person: it ends, and what may be of it', { sid: 'first' }, [false, true, false]],
    ['a session and another person', { sub: 'jo', sid: 'first' }, [true, true, true]],
    ['a person: all of them end', {}, [false, false, false]],
  ])('name %s', async (_what, more, left) => {
    const visits = await inThree();
    await comeBack({ sub: 'jo', email: 'jo@people.example', sid: 'of jo' });
    expect(await report(await liar.sign(claims(more)))).toBe(200);
    expect(await areIn(visits)).toEqual(left);
  });

  const codeVerifier = 'v'.repeat(43);
  const codeFor = async (sid: string): Promise<string> => {
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const { answer } = await comeBack({ sid }, { redirectUri: PROGRAM, state: 's', codeChallenge });
    return new URL(answer.location).searchParams.get('code')!;
  };
  const redeem = (code: string) => people.anyone('POST', '/public/users/sign-in-by-code', { code, codeVerifier });

  it('end a session with the tokens that came of it, and the code that waits to become some', async () => {
    const [ended, other] = [await redeem(await codeFor('first')), await redeem(await codeFor('second'))];
    const [endedCode, otherCode] = [await codeFor('first'), await codeFor('second')];
    expect(await report(await liar.sign(claims({ sub: undefined, sid: 'first' })))).toBe(200);
    const refresh = async ({ body }: typeof ended): Promise<number> =>
      (await people.anyone('POST', '/public/users/refresh', { refreshToken: body.data.refreshToken })).status;
    expect([await refresh(ended), await refresh(other)]).toEqual([401, 200]);
    expect([(await redeem(endedCode)).status, (await redeem(otherCode)).status]).toEqual([401, 200]);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['the person', {}, false],
    ['its session', { sub: undefined, sid: 'late' }, false],
    ['both', { sid: 'late' }, false],
    ['another session', { sid: 'another' }, true],
    ['another person', { sub: 'jo' }, true],
    ['the person, before it was named', { iat: seconds() - 100 }, true],
  ])('let nobody in who is on the way when they come: about %s', async (_what, more, expected) => {
    liar.answer = async (named) => {
      const id_token = await liar.sign(named);
      expect(await report(await liar.sign(claims(more)))).toBe(200);
      return { id_token };
    };
    const { visit, answer } = await comeBack({ sid: 'late' });
    expect([answer.status, await isIn(visit)]).toEqual([expected ? 303 : 404, expected]);
    liar.answer = async (named) => ({ id_token: await liar.sign(named) });
    // Who signs in again does.
    expect(await isIn((await comeBack({ sid: 'later', iat: seconds() + 2 })).visit)).toBe(true);
  });

  it('let no program in that has its code already, and is redeeming it', async () => {
    const code = await codeFor('late');
    const [row] = await test.peek<{ payload: object }>(
      `SELECT payload FROM person_token WHERE purpose = 'sign_in_code' AND payload->>'providerSid' = 'late'`,
    );
    expect(await report(await liar.sign(claims()))).toBe(200);
    // Used up before the report, and not yet a session.
    const digest = createHash('sha256').update(code).digest();
    await test.peek(
      `INSERT INTO person_token (digest, purpose, person_id, payload, expires_at)
       SELECT $1, 'sign_in_code', person_id, $2, now() + interval '1 minute' FROM provider_login WHERE subject = 'ada' LIMIT 1`,
      [digest, JSON.stringify(row!.payload)],
    );
    expect((await redeem(code)).status).toBe(401);
  });

  it('are implied when the tenant has no such provider any more: codes that wait count for nothing', async () => {
    const code = await codeFor('first');
    expect((await admin('DELETE', '/identity-provider')).status).toBe(204);
    expect((await redeem(code)).status).toBe(401);
  });

  describe('through the browser', () => {
    const frame = (query: Record<string, string>, of = tenantId) =>
      new CompanyVisit(test).open(`/public/account/company/${of}/logout?${new URLSearchParams(query)}`);

    it('end the session that is named, in a frame without a cookie', async () => {
      const { frontchannelLogoutUrl } = (await admin('GET', '/identity-provider')).body;
      expect(new URL(frontchannelLogoutUrl).pathname).toBe(`/public/account/company/${tenantId}/logout`);
      const visits = await inThree();
      const shown = await frame({ iss: liar.issuer, sid: 'second' });
      expect([shown.status, await areIn(visits)]).toEqual([200, [true, false, true]]);
      expect(shown.headers.get('content-security-policy')).toContain('frame-ancestors *');
      expect([shown.headers.get('cache-control'), shown.headers.get('x-frame-options')]).toEqual(['no-store', null]);
      const [entry] = (await admin('GET', '/audit-log?type=session.ended&limit=1')).body.data;
      expect(entry).toMatchObject({ subject: { name: 'Ada Berg' }, metadata: { sessions: 1, by: 'company' } });
      expect((await frame({ iss: liar.issuer, sid: 'second' })).status).toBe(200);
    });

    it.each<[string, () => [query: Record<string, string>, of?: string]]>([
      ['of another issuer', () => [{ iss: 'https://elsewhere.example', sid: 'first' }]],
      ['without an issuer', () => [{ sid: 'first' }]],
      ['without a session', () => [{ iss: liar.issuer }]],
      ['with an empty session', () => [{ iss: liar.issuer, sid: '' }]],
      ['at a tenant that has no provider', () => [{ iss: liar.issuer, sid: 'first' }, elsewhereId]],
      ['at no tenant', () => [{ iss: liar.issuer, sid: 'first' }, 'x']],
    ])('end nothing: %s', async (_what, ask) => {
      const visits = await inThree();
      expect((await frame(...ask())).status).toBe(400);
      expect(await areIn(visits)).toEqual([true, true, true]);
    });
  });

  it('are taken for its own tenant alone', async () => {
    const token = await liar.sign(claims());
    for (const id of [elsewhereId, 'x']) expect(await report(token, id)).toBe(400);
  });
});
