import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal, eventually, type Send, testService, type TestService } from '@kontor/testing';
import { CheckPassword } from '../src/accounts/check-password.js';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';
import { PASSWORD, People } from './people.js';

const SIGN_IN = '/public/account/sign-in';

describe('attacks on accounts, and the log of what happens to them', () => {
  let fakes: FakeServices;
  let test: TestService;
  let people: People;
  let admin: Send;
  let tenantId: string;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    people = new People(test);
    const create = test.service.get(CreateSandboxTenant);
    ({ tenantId } = await create.execute({ name: 'One', plan: 'standard', features: [], now: null }));
    admin = test.as(apiKeyPrincipal(tenantId, { name: 'Admin key' }));
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const cookieOf = (response: Response): string => response.headers.get('set-cookie')!.split(';')[0]!;
  const inBrowser = async (email: string): Promise<{ cookie: string; csrf: string }> => {
    const response = await people.post(SIGN_IN, { email, password: PASSWORD });
    expect(response.status).toBe(303);
    const cookie = cookieOf(response);
    const { body } = await people.anyone('GET', '/public/account', undefined, { cookie });
    return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(body)![1]! };
  };
  const entries = async (type: string) => (await admin('GET', `/audit-log?type=${type}&limit=100`)).body.data;

  it('guessing ends after ten attempts from one address; the owner goes on from elsewhere', async () => {
    const email = await people.join(admin, ['support']);
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, n) =>
        people.signIn(email, { password: `guess number ${n}` }, from('203.0.113.1')),
      ),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = guesses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await people.signIn(email, {}, from('203.0.113.1'))).status).toBe(429);
    expect((await people.signIn(email, {}, from('203.0.113.2'))).status).toBe(200);
    const page = await people.post(SIGN_IN, { email, password: PASSWORD }, from('203.0.113.3'));
    expect(page.status).toBe(303);
    await eventually(async () => (await entries('sign_in.failed')).length === 10, 'the failures in the audit log');
    expect((await entries('sign_in.failed'))[0]).toMatchObject({
      actor: null,
      subject: { name: 'Ada Berg' },
      address: '203.0.113.1',
    });
  });

  it('one network of IPv6 is one address: with all that it has nobody closes an account', async () => {
    const email = await people.join(admin, ['support']);
    const guess = (n: number) => people.signIn(email, { password: 'wrong' }, from(`2001:db8:1:2::${n.toString(16)}`));
    const guesses = await Promise.all(Array.from({ length: 14 }, (_, n) => guess(n + 1)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect((await people.signIn(email, {}, from('2001:db8:1:2:ffff::1'))).status).toBe(429);
    expect((await people.signIn(email, {}, from('2001:db8:1:3::1'))).status).toBe(200);
  });

  const resetPassword = async (email: string, password: string): Promise<void> => {
    await people.anyone('POST', '/public/users/request-password-reset', { email });
    const path = await people.linkTo(email, 'password_reset');
    expect((await people.post(path, { password })).status).toBe(200);
  };

  it('who clicks twice while setting a new password learns that the first click has done it, and where to sign in', async () => {
    const email = await people.join(admin, ['support']);
    await people.anyone('POST', '/public/users/request-password-reset', { email });
    const path = await people.linkTo(email, 'password_reset');
    const clicks = await Promise.all([1, 2].map(() => people.post(path, { password: 'a much better one' })));
    const late = clicks.find(({ status }) => status === 404);
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await late?.text()).toMatch(
      /clicked twice, the first click has done it[^]*href="\/public\/account\/sign-in"/,
    );
  });

  it('a refresh token that was exchanged long ago ends the session, too', async () => {
    const email = await people.join(admin, ['support']);
    const stolen = await people.tokens(email);
    const refresh = (refreshToken: string) => people.anyone('POST', '/public/users/refresh', { refreshToken });
    let thief = stolen;
    for (let n = 0; n < 3; n++) thief = (await refresh(thief.refreshToken)).body.data;
    // The owner, who was robbed, goes on with the token that both have had.
    expect((await refresh(stolen.refreshToken)).status).toBe(401);
    expect((await refresh(thief.refreshToken)).status).toBe(401);
  });

  it('an address that was asked for with the former password does not become the account’s', async () => {
    const email = await people.join(admin, ['support']);
    const { cookie, csrf } = await inBrowser(email);
    const others = people.newEmail();
    await people.post('/public/account', { csrf, action: 'change_email', email: others }, { cookie });
    const link = await people.linkTo(others, 'email_change');
    await resetPassword(email, 'a much better one');
    expect((await people.post(link, {})).status).toBe(404);
    expect((await people.signIn(email, { password: 'a much better one' })).status).toBe(200);
  });

  it('of two who confirm one address at once, one has it, and the other link is over', async () => {
    const wanted = people.newEmail();
    const links = [];
    for (const written of [wanted, wanted.toUpperCase()]) {
      const { cookie, csrf } = await inBrowser(await people.join(admin, ['support']));
      await people.post('/public/account', { csrf, action: 'change_email', email: written }, { cookie });
      links.push(await people.linkTo(written, 'email_change'));
    }
    const statuses = await Promise.all(links.map(async (link) => (await people.post(link, {})).status));
    expect(statuses.sort()).toEqual([200, 404]);
    expect((await people.signIn(wanted)).status).toBe(200);
  });

  it('nobody has mails sent to others: five links to new addresses in a quarter of an hour', async () => {
    const { cookie, csrf } = await inBrowser(await people.join(admin, ['support']));
    const strangers = Array.from({ length: 3 }, () => people.newEmail());
    const asked = [];
    for (let n = 0; n < 7; n++) {
      const fields = { csrf, action: 'change_email', email: strangers[n % 3]! };
      const { status } = await people.post('/public/account?lang=en', fields, { cookie, ...from(`192.0.2.${n}`) });
      asked.push(status);
    }
    expect(asked).toEqual([200, 200, 200, 200, 200, 422, 422]);
    const mails = await Promise.all(strangers.map((stranger) => people.mails(stranger)));
    expect(mails.flat()).toHaveLength(5);
    const { cookie: theirs, csrf: other } = await inBrowser(await people.join(admin, ['support']));
    const fields = { csrf: other, action: 'change_email', email: strangers[0]! };
    expect((await people.post('/public/account', fields, { cookie: theirs })).status).toBe(200);
  });

  /** Does something with the former password while it is reset: right after that was checked, and found right. */
  const whileReset = async <T>(email: string, act: () => Promise<T>): Promise<T> => {
    const check = test.service.get(CheckPassword);
    const execute = check.execute.bind(check);
    check.execute = async (...given) => {
      const person = await execute(...given);
      await resetPassword(email, 'a much better one');
      return person;
    };
    return act().finally(() => (check.execute = execute));
  };

  it('who is on the way in with the former password stays out', async () => {
    for (const enter of [
      (email: string) => people.signIn(email).then(({ status }) => status),
      (email: string) => people.post(SIGN_IN, { email, password: PASSWORD }).then(({ status }) => status),
    ]) {
      const email = await people.join(admin, ['support']);
      expect(await whileReset(email, () => enter(email))).toBe(401);
      const sessions = 'SELECT 1 FROM person p JOIN person_session s ON s.person_id = p.id WHERE p.email = $1';
      expect(await test.peek(sessions, [email])).toEqual([]);
    }
  });

  it('a change that was confirmed with the former password is not made after the new one', async () => {
    const email = await people.join(admin, ['support']);
    const { cookie, csrf } = await inBrowser(email);
    const fields = { csrf, action: 'change_password', password: PASSWORD, newPassword: 'what the thief wants' };
    await whileReset(email, () => people.post('/public/account', fields, { cookie }));
    expect((await people.signIn(email, { password: 'what the thief wants' })).status).toBe(401);
    expect((await people.signIn(email, { password: 'a much better one' })).status).toBe(200);
  });

  it('an account is closed after a hundred attempts from everywhere, unknown ones as well; an address after a hundred at all', async () => {
    for (const email of [await people.join(admin, ['support']), people.newEmail()]) {
      const count = (address: string) => people.signIn(email, { password: 'wrong' }, from(address));
      expect((await count('203.0.113.9')).status).toBe(401);
      await test.peek(`UPDATE person_attempt SET attempts = 100 WHERE subject = sha256(convert_to($1, 'UTF8'))`, [
        `password account ${email}`,
      ]);
      expect((await count('198.51.100.1')).status).toBe(429);
    }
    const email = people.newEmail();
    expect((await people.signIn(email, {}, from('198.51.100.7'))).status).toBe(401);
    await test.peek(
      `UPDATE person_attempt SET attempts = 100 WHERE subject = sha256(convert_to('password address 198.51.100.7', 'UTF8'))`,
    );
    expect((await people.signIn(people.newEmail(), {}, from('198.51.100.7'))).status).toBe(429);
  });

  it('nobody waits for the end of a window that a clock which was ahead began', async () => {
    const signIn = () => people.signIn(people.newEmail(), {}, from('198.51.100.8'));
    expect((await signIn()).status).toBe(401);
    await test.peek(
      `UPDATE person_attempt SET attempts = 100, since = now() + interval '1 day'
       WHERE subject = sha256(convert_to('password address 198.51.100.8', 'UTF8'))`,
    );
    expect((await signIn()).status).toBe(401);
  });

  it('an account is one however its address is written, for its limits and for the log', async () => {
    const email = 'mimi@people.example';
    const names = { firstName: 'Mimi', lastName: 'Berg', password: PASSWORD };
    expect((await people.post(await people.invite(admin, email, ['support']), names)).status).toBe(303);
    // Small, the dotted capital I is an i for the database, and an i with another dot for JavaScript.
    const written = [email, email.toUpperCase(), email.replace('i', '\u0130'), ` ${email}`];
    const before = (await entries('sign_in.failed')).length;
    for (const [n, way] of written.entries())
      expect((await people.post(SIGN_IN, { email: way, password: 'wrong' }, from(`192.0.2.${n}`))).status).toBe(401);
    const [counted] = await test.peek<{ attempts: number }>(
      `SELECT attempts FROM person_attempt WHERE subject = sha256(convert_to($1, 'UTF8'))`,
      [`password account ${email}`],
    );
    expect(counted?.attempts).toBe(written.length);
    await eventually(
      async () => (await entries('sign_in.failed')).length === before + written.length,
      'each failure in the audit log',
    );
  });

  it('unknown addresses and wrong passwords look the same', async () => {
    const known = await people.join(admin, ['support']);
    const shown = async (email: string) => {
      const api = await people.signIn(email, { password: 'wrong' });
      const { instance: _instance, ...problem } = api.body;
      const page = await people.post(`${SIGN_IN}?lang=en`, { email, password: 'wrong' });
      const html = (await page.text())
        .replaceAll(email, 'EMAIL')
        .replace(/value="[^"]{60,}"|data-passkey="[^"]*"/g, '');
      return { problem, status: page.status, html };
    };
    expect(await shown(known)).toEqual(await shown(people.newEmail()));
    const reset = async (email: string) => {
      const page = await people.post('/public/account/forgot-password?lang=en', { email });
      return [page.status, (await page.text()).replaceAll(email, 'EMAIL')];
    };
    expect(await reset(known)).toEqual(await reset(people.newEmail()));
  });

  it('a session that somebody prepared is not the one after the sign-in', async () => {
    const [email, attackers] = [await people.join(admin, ['support']), await people.join(admin, ['support'])];
    const planted = await inBrowser(attackers);
    const response = await people.post(SIGN_IN, { email, password: PASSWORD }, { cookie: planted.cookie });
    expect(response.status).toBe(303);
    expect(cookieOf(response)).not.toBe(planted.cookie);
    expect(response.headers.get('set-cookie')).toMatch(
      /; Path=\/public\/account; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    const old = await fetch(`${test.service.url}/public/account`, {
      headers: { cookie: planted.cookie },
      redirect: 'manual',
    });
    expect(old.status).toBe(303);
    const made = await people.post(SIGN_IN, { email, password: PASSWORD }, { cookie: 'kontor_account=usp_chosen' });
    expect(cookieOf(made)).not.toContain('chosen');
  });

  it('a form of another site changes nothing', async () => {
    const email = await people.join(admin, ['support']);
    const { cookie, csrf } = await inBrowser(email);
    const submit = (fields: Record<string, string>, headers: Record<string, string>) =>
      people.post('/public/account?lang=en', { action: 'end_others', ...fields }, { cookie, ...headers });
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) expect((await submit({ csrf }, headers)).status).toBe(403);
    const other = await inBrowser(await people.join(admin, ['support']));
    for (const fields of [{}, { csrf: '' }, { csrf: other.csrf }, { csrf: 'ä'.repeat(csrf.length) }]) {
      const answer = await submit(fields as never, {});
      expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('nothing was changed');
    }
    expect((await submit({ csrf }, { 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(200);
    const login = await people.post(SIGN_IN, { email, password: PASSWORD }, { 'sec-fetch-site': 'cross-site' });
    expect([login.status, login.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('a sign-in leads to the account and nowhere else', async () => {
    const email = await people.join(admin, ['support']);
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/public/account/../../evil',
      '/public/account@evil.example',
      'javascript:alert(1)',
      '/docs',
    ]) {
      const response = await people.post(SIGN_IN, { email, password: PASSWORD, next });
      expect([next, response.status, response.headers.get('location')]).toEqual([next, 303, '/public/account']);
    }
  });

  it('links in mails lead to this system, whatever host was asked for', async () => {
    const email = await people.join(admin, ['support']);
    const response = await people.post(
      '/public/account/forgot-password',
      { email },
      { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' },
    );
    expect(response.status).toBe(200);
    await people.linkTo(email, 'password_reset');
    for (const { link } of await people.mails(email)) if (link) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('who left the browser open long ago signs in again before the account is changed', async () => {
    const email = await people.join(admin, ['support']);
    const { cookie, csrf } = await inBrowser(email);
    await test.peek(`UPDATE person_session SET signed_in_at = now() - interval '16 minutes'`);
    for (const action of ['totp_start', 'change_password', 'change_email', 'passkey_add', 'recovery_new']) {
      const response = await people.post('/public/account', { csrf, action }, { cookie });
      expect([action, response.status, response.headers.get('location')]).toEqual([
        action,
        303,
        `${SIGN_IN}?next=/public/account`,
      ]);
    }
    expect((await people.post('/public/account', { csrf, action: 'constructor' }, { cookie })).status).toBe(200);
  });

  it('the audit log says who, when and from where; the database refuses to change it', async () => {
    const boss = await people.join(admin, ['administrator'], { firstName: 'Jo', lastName: 'Brandt' });
    const { body } = await people.signIn(boss, {}, { ...from('203.0.113.77'), 'user-agent': 'Test/1' });
    expect(body.data.tenantId).toBe(tenantId);
    const entry = await eventually(
      async () =>
        (await entries('sign_in.succeeded')).find(
          (found: { subject: { name: string } }) => found.subject.name === 'Jo Brandt',
        ),
      'the sign-in',
    );
    expect((await entries('user.joined'))[0]).toMatchObject({ actor: { kind: 'user', name: 'Jo Brandt' } });
    const last = (await entries('sign_in.succeeded')).find(
      ({ address }: { address: string }) => address === '203.0.113.77',
    );
    expect(last ?? entry).toMatchObject({ actor: { kind: 'user', name: 'Jo Brandt' } });
    const key = await admin('POST', '/api-keys', { name: 'Shop', permissions: ['customer:read'] });
    expect((await admin('DELETE', `/api-keys/${key.body.id}`)).status).toBe(204);
    for (const type of ['api_key.created', 'api_key.revoked', 'user.invited'])
      expect((await entries(type))[0]).toMatchObject({ actor: { kind: 'api_key', name: 'Admin key' } });

    for (const sql of [`UPDATE audit_entry SET type = 'nothing'`, 'DELETE FROM audit_entry', 'TRUNCATE audit_entry'])
      await expect(test.peek(sql)).rejects.toThrow('the audit log never changes');
    const weak = test.as(apiKeyPrincipal(tenantId, { permissions: ['user:read', 'user:write'] }));
    expect((await weak('GET', '/audit-log')).status).toBe(403);
    expect((await admin('GET', '/audit-log?type=nothing')).status).toBe(400);
  });

  it('the entries are chained without a gap, also those of the same moment, and exported as they are', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        admin('POST', '/user-roles', { name: `R${n}`, permissions: ['invoice:read'] }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const csv = (await admin('GET', '/audit-log/export')).body as string;
    const lines = csv.trim().split('\n');
    const numbers = lines.slice(1).map((line) => Number(line.split(',')[0]));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const { data } = (await admin('GET', '/audit-log?limit=50')).body;
    for (let n = 1; n < data.length; n++) expect(data[n - 1].previousHash).toBe(data[n].hash);
    const wrong = await test.peek(
      `SELECT number FROM (SELECT a AS e, number, hash, lag(hash, 1, '\\x'::bytea) OVER (PARTITION BY tenant_id ORDER BY number) AS before
         FROM audit_entry a) x WHERE hash <> audit_entry_hash(e) OR (e).previous_hash <> before`,
    );
    expect(wrong).toEqual([]);
    const again = await test.peek('SELECT number FROM audit_entry WHERE tenant_id = $1', [tenantId]);
    expect(again.length).toBeGreaterThanOrEqual(numbers.length);
  });
});
