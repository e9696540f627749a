import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, type Sql } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, type Send, testService, type TestService } from '@kontor/testing';
import { endSessions } from '../src/accounts/person-sessions.js';
import { SecondFactor } from '../src/accounts/second-factor.js';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { totpCode, totpStep } from '../src/secrets/totp.js';
import { FakeServices } from './fake-services.js';
import { bytesOf, PASSWORD, People } from './people.js';

/** What somebody does with an account of their own. */
describe('the own account', () => {
  let fakes: FakeServices;
  let test: TestService;
  let people: People;
  let first: Send;
  let second: Send;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    people = new People(test);
    const create = test.service.get(CreateSandboxTenant);
    [first, second] = (await Promise.all(
      ['One', 'Two'].map(async (name) => {
        const { tenantId } = await create.execute({ name, plan: 'standard', features: [], now: null });
        return test.as(apiKeyPrincipal(tenantId));
      }),
    )) as [Send, Send];
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  /** Signed in with a browser; the page takes forms. */
  const inBrowser = async (email: string) => {
    const response = await people.post('/public/account/sign-in', { email, password: PASSWORD });
    expect(response.status).toBe(303);
    const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
    const { body } = await people.anyone('GET', '/public/account', undefined, { cookie });
    const csrf = /name="csrf" value="([^"]+)"/.exec(body)![1]!;
    return async (action: string, fields: Record<string, string> = {}) => {
      const answer = await people.post('/public/account?lang=en', { csrf, action, ...fields }, { cookie });
      return { status: answer.status, html: await answer.text() };
    };
  };
  type Submit = Awaited<ReturnType<typeof inBrowser>>;
  type Codes = Readonly<{ secret: Buffer; setup: string }>;
  const codesSetUp = async (submit: Submit): Promise<Codes> => {
    const { html } = await submit('totp_start');
    const secret = bytesOf(/<code>([A-Z2-7 ]+)<\/code>/.exec(html)![1]!.replaceAll(' ', ''));
    return { secret, setup: /name="setup" value="([^"]+)"/.exec(html)![1]! };
  };
  const confirmationOf = ({ secret, setup }: Codes) => ({ setup, code: totpCode(secret, totpStep(new Date())) });
  const usersOf = async (
    send: Send,
  ): Promise<{ id: string; email: string; fullName: string; deactivated: boolean }[]> =>
    (await send('GET', '/users?limit=100')).body.data;
  const entries = async (send: Send, type: string) =>
    (await send('GET', `/audit-log?type=${type}&limit=100`)).body.data;
  const invited = async (send: Send, email: string, role: string): Promise<void> => {
    const path = await people.invite(send, email, [role]);
    const response = await people.post('/public/account/sign-in', { email, password: PASSWORD });
    const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
    const page = await people.anyone('GET', path, undefined, { cookie });
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)![1]!;
    expect((await people.post(path, { csrf }, { cookie })).status).toBe(303);
  };

  it('has another name from now on, in every tenant and its logs', async () => {
    const email = await people.join(first, ['support'], { firstName: 'Ada', lastName: 'Berg' });
    await invited(second, email, 'support');
    const submit = await inBrowser(email);
    for (const fields of [
      {},
      { firstName: 'Ada' },
      { firstName: ' ', lastName: 'Tal' },
      { firstName: '\u0000', lastName: 'Tal' },
    ])
      expect((await submit('change_name', fields as Record<string, string>)).status).toBe(422);
    const done = await submit('change_name', { firstName: 'Ada <b>', lastName: 'Tal' });
    expect([done.status, done.html]).toEqual([200, expect.stringContaining('Ada &#60;b&#62; Tal')]);
    for (const send of [first, second]) {
      await eventually(
        async () => (await usersOf(send)).some(({ fullName }) => fullName === 'Ada <b> Tal'),
        'the name',
      );
      const [entry] = await eventually(async () => {
        const found = await entries(send, 'name.changed');
        return found.length > 0 && found;
      }, 'the entry');
      expect(entry).toMatchObject({ metadata: { before: 'Ada Berg', after: 'Ada <b> Tal' } });
    }
    const copies = await test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'identity.user.changed.v1' AND payload LIKE '%Ada <b>%'`,
    );
    expect(copies).toHaveLength(2);
  });

  it('has another password after one click or two, and says so either way', async () => {
    const email = await people.join(first, ['support']);
    const submit = await inBrowser(email);
    const change = (password: string, newPassword: string) => submit('change_password', { password, newPassword });
    const clicks = await Promise.all([1, 2].map(() => change(PASSWORD, 'a much better one')));
    const later = await change(PASSWORD, 'a much better one');
    expect([...clicks, later].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await change(PASSWORD, 'yet another good one')).status).toBe(422);
    expect((await people.signIn(email, { password: 'a much better one' })).status).toBe(200);
    expect((await people.signIn(email, { password: 'yet another good one' })).status).toBe(401);
  });

  it('has a second factor after one click or two, whose recovery codes are seen either way', async () => {
    const email = await people.join(first, ['support']);
    const submit = await inBrowser(email);
    const setUp = () => codesSetUp(submit);
    const confirm = (codes: Codes) => submit('totp_confirm', confirmationOf(codes));
    const codesIn = (html: string): string[] => html.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g) ?? [];
    const [once, another] = [await setUp(), await setUp()];
    // Who mistypes the code goes on with the entry that the app has by now.
    const mistyped = await submit('totp_confirm', { ...confirmationOf(once), code: '12345' });
    expect([mistyped.status, mistyped.html]).toEqual([422, expect.stringContaining(`value="${once.setup}"`)]);
    const [left, right] = await Promise.all([confirm(once), confirm(once)]);
    expect([left.status, right.status]).toEqual([200, 200]);
    expect(codesIn(left.html)).toHaveLength(10);
    expect(codesIn(right.html)).toEqual(codesIn(left.html));
    expect((await confirm(another)).status).toBe(422);
    const [code, next] = codesIn(left.html);
    expect((await people.signIn(email, { code })).status).toBe(200);
    expect((await confirm(once)).status).toBe(200);
    expect((await people.signIn(email, { code })).body.reason).toBe('invalid_credentials');
    await submit('recovery_new');
    expect((await confirm(once)).status).toBe(422);
    expect((await people.signIn(email, { code: next })).body.reason).toBe('invalid_credentials');
    await submit('totp_end');
    expect((await confirm(another)).status).toBe(422);
    // Set up, with other recovery codes, removed: who did not do it learns of each.
    await eventually(
      async () => (await people.mails(email)).filter(({ kind }) => kind === 'second_factor_changed').length === 3,
      'a mail of each change',
    );
  });

  it('is opened by a code after one click or two, by that code alone, and not after its sessions were ended', async () => {
    const email = await people.join(first, ['support']);
    const [{ id }] = (await test.peek<{ id: string }>('SELECT id FROM person WHERE email = $1', [email])) as [
      { id: string },
    ];
    const sql: Sql = { query: (text, params) => test.peek(text, params && [...params]) };
    const [code, other, last] = await test.service.get(SecondFactor).makeRecoveryCodes(sql, id);
    const sealed = test.service.get(SecondFactor).seal(Buffer.from('12345678901234567890'), id);
    await test.peek('UPDATE person SET totp_secret = $2, totp_step = 1 WHERE id = $1', [id, sealed]);
    const ask = async (): Promise<string> => {
      const page = await (await people.post('/public/account/sign-in', { email, password: PASSWORD })).text();
      return /name="pending" value="([^"]+)"/.exec(page)![1]!;
    };
    const give = async (pending: string, given = ''): Promise<string | null> => {
      const answer = await people.post('/public/account/sign-in', { pending, code: given });
      const cookie = answer.headers.get('set-cookie')?.split(';')[0];
      return cookie
        ? (await people.anyone('GET', '/public/account', undefined, { cookie })).body
        : answer.headers.get('location');
    };
    const pending = await ask();
    for (const page of await Promise.all([1, 2, 3].map(() => give(pending, code)))) expect(page).toContain('Ada Berg');
    expect(await test.service.get(SecondFactor).recoveryCodesLeft(id)).toBe(9);
    expect(await give(pending, code)).toContain('Ada Berg');
    expect(await give(pending, other)).toBe('/public/account/sign-in');
    expect(await give(await ask(), code)).toBeNull();
    await test.peek(`UPDATE person_token SET expires_at = expires_at - interval '10 s' WHERE person_id = $1`, [id]);
    expect(await give(pending, code)).toBe('/public/account/sign-in?lang=en');

    const another = await ask();
    expect(await give(another, last)).toContain('Ada Berg');
    await endSessions(sql, id);
    expect(await give(another, last)).toBe('/public/account/sign-in?lang=en');
  });

  it('of who has lost device and recovery codes is opened by the operator, for the password alone', async () => {
    const email = await people.join(first, ['support']);
    const submit = await inBrowser(email);
    await submit('totp_confirm', confirmationOf(await codesSetUp(submit)));
    const { body: waiting } = await people.signIn(email);
    expect(waiting.reason).toBe('second_factor_required');

    const operator = test.as(apiKeyPrincipal(newUuid(), { permissions: ['operator'] }));
    const reset = (send: Send, who: string) => send('POST', '/accounts/reset-second-factor', { email: who });
    expect((await reset(first, email)).status).toBe(403);
    expect((await reset(operator, 'nobody@nordlicht.example')).body.reason).toBe('unknown_reference');
    const clicks = await Promise.all([1, 2].map(() => reset(operator, email.toUpperCase())));
    expect(clicks.map(({ status }) => status)).toEqual([204, 204]);

    expect((await people.signIn(email)).status).toBe(200);
    expect((await submit('change_name', { firstName: 'Leo', lastName: 'Land' })).status).toBe(303);
    const reported = await eventually(async () => {
      const found = (await entries(first, 'totp.disabled')).filter(
        ({ metadata }: { metadata: { by?: string } }) => metadata.by === 'operator',
      );
      return found.length > 0 && found;
    }, 'the entry');
    expect(reported).toEqual([expect.objectContaining({ actor: null })]);
    await eventually(
      async () => (await people.mails(email)).filter(({ kind }) => kind === 'second_factor_changed').length === 2,
      'a mail of either change',
    );
  });

  it('is deleted with password and code, by everybody but the last who may do everything', async () => {
    const email = await people.join(first, ['support'], { firstName: 'Leo', lastName: 'Land' });
    await invited(second, email, 'administrator');
    await people.tokens(email);
    const submit = await inBrowser(email);
    expect((await submit('delete_account', { password: 'wrong' })).html).toContain('The password is wrong.');
    const refused = await submit('delete_account', { password: PASSWORD });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('nobody could manage Two')]);
    expect((await usersOf(first)).find((user) => user.email === email)).toMatchObject({ deactivated: false });

    await people.join(second, ['administrator'], { firstName: 'Jo', lastName: 'Brandt' });
    const [{ id }] = (await test.peek<{ id: string }>('SELECT id FROM person WHERE email = $1', [email])) as [
      { id: string },
    ];
    const secret = Buffer.from('12345678901234567890');
    const sealed = test.service.get(SecondFactor).seal(secret, id);
    await test.peek('UPDATE person SET totp_secret = $2, totp_step = 1 WHERE id = $1', [id, sealed]);
    expect((await submit('delete_account', { password: PASSWORD, code: '000000' })).html).toContain(
      'The code is wrong',
    );
    const done = await submit('delete_account', { password: PASSWORD, code: totpCode(secret, totpStep(new Date())) });
    expect([done.status, done.html]).toEqual([200, expect.stringContaining('Your account is deleted')]);

    expect((await people.signIn(email)).body.reason).toBe('invalid_credentials');
    expect((await submit('change_name', { firstName: 'Leo', lastName: 'Land' })).status).toBe(303);
    for (const table of ['person_session', 'person_token', 'person_recovery_code', 'person_passkey'])
      expect([table, await test.peek(`SELECT 1 FROM ${table} WHERE person_id = $1`, [id])]).toEqual([table, []]);
    const left = await test.peek<{ text: string }>('SELECT row_to_json(p)::text AS text FROM person p WHERE id = $1', [
      id,
    ]);
    expect(left[0]!.text).not.toMatch(/Leo|Land|argon2|k1\./);
    for (const send of [first, second]) {
      expect((await usersOf(send)).find((user) => user.email.startsWith(id))).toMatchObject({
        fullName: '',
        deactivated: true,
      });
      expect(await entries(send, 'account.deleted')).toEqual([
        expect.objectContaining({
          actor: expect.objectContaining({ name: 'Leo Land' }),
          subject: expect.objectContaining({ name: 'Leo Land' }),
        }),
      ]);
    }
    const mails = await people.mails(email);
    expect(mails.filter(({ kind }) => kind === 'account_deleted')).toEqual([
      expect.objectContaining({ name: 'Leo Land', link: null }),
    ]);
    // Nobody has it any more: a link for a new password goes nowhere.
    const askForLink = () => people.anyone('POST', '/public/users/request-password-reset', { email });
    expect((await askForLink()).status).toBeLessThan(300);
    await eventually(
      async () => (await test.peek(`SELECT 1 FROM due_work WHERE kind = 'identity.account-event'`)).length === 0,
      'the request was looked at',
    );
    expect(await people.mails(email)).toEqual(mails);
    // The address is free: its owner can be invited anew, as somebody new.
    const path = await people.invite(first, email, ['support']);
    expect((await people.post(path, { firstName: 'Leo', lastName: 'Land', password: PASSWORD })).status).toBe(303);
    expect((await people.signIn(email)).status).toBe(200);
    expect((await askForLink()).status).toBeLessThan(300);
    expect(await people.linkTo(email, 'password_reset')).toMatch(/\/reset\/[\w-]{22}$/);
  });

  it('of two invitations whose forms were both open before there was one, the second asks to join with it', async () => {
    const email = people.newEmail();
    const firstPath = await people.invite(first, email, ['support']);
    const secondPath = await people.invite(second, email, ['support']);
    const filled = { firstName: 'Ada', lastName: 'Berg', password: PASSWORD };
    const cookie = (await people.post(firstPath, filled)).headers.get('set-cookie')!.split(';')[0]!;
    const asked = await people.post(`${secondPath}?lang=en`, filled, { cookie });
    const html = await asked.text();
    expect([asked.status, html.includes('Accept as Ada Berg')]).toEqual([403, true]);
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
    expect((await people.post(secondPath, { csrf }, { cookie })).headers.get('location')).toBe('/public/account');
    expect((await usersOf(second)).filter((user) => user.email === email)).toHaveLength(1);
  });

  it('of somebody who works for nobody gets a new password, with which an invitation is accepted that came since', async () => {
    const email = await people.join(first, ['support']);
    const { id } = (await usersOf(first)).find((user) => user.email === email)!;
    expect((await first('DELETE', `/users/${id}`)).status).toBe(204);
    const askForMail = async (nth: number) => {
      expect((await people.post('/public/account/forgot-password', { email })).status).toBe(200);
      const resets = async () => (await people.mails(email)).filter(({ kind }) => kind === 'password_reset');
      await eventually(async () => (await resets()).length === nth, `mail ${nth} for a new password`);
    };
    await askForMail(1);
    // The tenant is deleted; and whoever has signed in by a company alone never had a password.
    await test.peek('DELETE FROM tenant_user WHERE id = $1', [id]);
    await test.peek('UPDATE person SET password_hash = NULL WHERE email = $1', [email]);
    const path = await people.invite(second, email, ['support']);
    const { body } = await people.anyone('GET', `${path}?lang=en`);
    expect(body).toContain('href="/public/account/forgot-password?lang=en"');
    await askForMail(2);
    const reset = await people.linkTo(email, 'password_reset');
    expect((await people.post(reset, { password: PASSWORD })).status).toBe(200);
    await eventually(
      async () => (await people.mails(email)).some(({ kind }) => kind === 'password_changed'),
      'word of the new password',
    );
    expect((await second('GET', '/audit-log?type=password.changed')).body.data).toEqual([]);
    const entered = await people.post('/public/account/sign-in', { email, password: PASSWORD, next: path });
    expect(entered.headers.get('location')).toBe(path);
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    const { body: asked } = await people.anyone('GET', path, undefined, { cookie });
    const csrf = /name="csrf" value="([^"]+)"/.exec(asked)![1]!;
    expect((await people.post(path, { csrf }, { cookie })).status).toBe(303);
    expect((await people.signIn(email)).status).toBe(200);
  });

  it('two administrators who delete their accounts at the same moment: one of them stays', async () => {
    const create = test.service.get(CreateSandboxTenant);
    const { tenantId } = await create.execute({ name: 'Three', plan: 'standard', features: [], now: null });
    const three = test.as(apiKeyPrincipal(tenantId));
    const emails = [await people.join(three, ['administrator']), await people.join(three, ['administrator'])];
    const submits = await Promise.all(emails.map(inBrowser));
    const answers = await Promise.all(submits.map((submit) => submit('delete_account', { password: PASSWORD })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await usersOf(three)).filter(({ deactivated }) => !deactivated)).toHaveLength(1);
  });
});
