import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import {
  apiKeyPrincipal,
  eventually,
  type Send,
  servicePrincipal,
  testService,
  type TestService,
} from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';
import { PASSWORD, People } from './people.js';

describe('users of a tenant', () => {
  let fakes: FakeServices;
  let test: TestService;
  let people: People;
  let admin: Send;
  let other: Send;
  const tenantIds: string[] = [];

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    people = new People(test);
    for (const name of ['One', 'Two']) {
      const { tenantId } = await test.service
        .get(CreateSandboxTenant)
        .execute({ name, plan: 'standard', features: [], now: null });
      tenantIds.push(tenantId);
    }
    [admin, other] = tenantIds.map((id) => test.as(apiKeyPrincipal(id))) as [Send, Send];
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const verify = (token: string) =>
    test.as(servicePrincipal(tenantIds[0]!, 'api-gateway'))('POST', '/internal/tokens/verify', { token });
  /** The person behind a token, as services see it. */
  const as = async (token: string): Promise<Send> => {
    const { status, body } = await verify(token);
    expect(status).toBe(200);
    return test.as(body.principal);
  };
  const aUser = async (send: Send, email: string) => {
    const { status, body } = await send('GET', '/users?limit=100');
    expect(status).toBe(200);
    return body.data.find((user: { email: string }) => user.email === email);
  };

  it('are invited by mail, join with a password, and sign in with what their roles allow', async () => {
    const email = await people.join(admin, ['accounting'], { firstName: 'Ada', lastName: 'Berg' });
    const user = await aUser(admin, email);
    expect(user).toMatchObject({
      fullName: 'Ada Berg',
      roles: ['accounting'],
      deactivated: false,
      secondFactor: false,
    });
    const { accessToken, tenantId } = await people.tokens(email);
    expect(tenantId).toBe(tenantIds[0]);
    const { body } = await verify(accessToken);
    expect(body.principal).toMatchObject({
      kind: 'user',
      subjectId: user.id,
      name: 'Ada Berg',
      tenantId,
      mode: 'sandbox',
    });
    expect(body.principal.permissions).toContain('transaction:write');
    const send = await as(accessToken);
    expect((await send('GET', '/users')).status).toBe(403);
    expect((await send('GET', '/tenant')).status).toBe(200);
    expect((await admin('GET', '/user-invitations')).body.data[0]).toMatchObject({ email, status: 'accepted' });
    expect(await test.peek('SELECT 1 FROM outbox WHERE payload::text LIKE $1', [`%${PASSWORD}%`])).toEqual([]);
    const [stored] = await test.peek<{ hash: string }>('SELECT password_hash AS hash FROM person WHERE email = $1', [
      email,
    ]);
    expect(stored!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('a role that is taken away counts no longer, at once', async () => {
    const email = await people.join(admin, ['support', 'read_only']);
    const { accessToken } = await people.tokens(email);
    const { id } = await aUser(admin, email);
    expect((await verify(accessToken)).body.principal.permissions).toContain('subscription:write');
    expect((await admin('PUT', `/users/${id}/roles`, { roles: ['read_only'] })).status).toBe(200);
    expect((await verify(accessToken)).body.principal.permissions).not.toContain('subscription:write');
    expect((await admin('PUT', `/users/${id}/roles`, { roles: [] })).status).toBe(200);
    expect((await verify(accessToken)).body.principal.permissions).toEqual([]);
    expect((await admin('DELETE', `/users/${id}`)).status).toBe(204);
    expect((await verify(accessToken)).status).toBe(401);
    expect((await people.signIn(email)).status).toBe(403);
    expect((await admin('GET', `/users/${id}`)).body).toMatchObject({ deactivated: true, fullName: 'Ada Berg' });
    for (const [method, path, body] of [
      ['DELETE', `/users/${id}`, undefined],
      ['PUT', `/users/${id}/roles`, { roles: ['support'] }],
      ['DELETE', `/users/${newUuid()}`, undefined],
    ] as const)
      expect((await admin(method, path, body)).status).toBe(404);
  });

  it('own roles are made of permissions, and change for all who have them', async () => {
    const made = await admin('POST', '/user-roles', { name: 'Hooks', permissions: ['webhook:read', 'webhook:write'] });
    expect(made.status).toBe(201);
    expect((await admin('POST', '/user-roles', { name: 'hooks', permissions: ['webhook:read'] })).body.reason).toBe(
      'already_exists',
    );
    const email = await people.join(admin, [made.body.id]);
    const { accessToken } = await people.tokens(email);
    expect((await verify(accessToken)).body.principal.permissions).toEqual(['webhook:read', 'webhook:write']);
    const path = `/user-roles/${made.body.id}`;
    expect((await admin('PUT', path, { name: 'Hooks', permissions: ['webhook:read'] })).status).toBe(200);
    expect((await verify(accessToken)).body.principal.permissions).toEqual(['webhook:read']);
    expect((await admin('DELETE', path)).body.reason).toBe('role_in_use');
    expect((await other('DELETE', path)).status).toBe(404);
    const { id } = await aUser(admin, email);
    expect((await admin('PUT', `/users/${id}/roles`, { roles: [] })).status).toBe(200);
    expect((await admin('DELETE', path)).status).toBe(204);
    const { data } = (await admin('GET', '/user-roles')).body;
    expect(data.map((role: { id: string }) => role.id)).toEqual([
      'administrator',
      'accounting',
      'support',
      'read_only',
    ]);
  });

  it('nobody gives or takes what they may not do themselves', async () => {
    const boss = await people.join(admin, ['administrator']);
    const { id } = await aUser(admin, boss);
    const weak = test.as(apiKeyPrincipal(tenantIds[0]!, { permissions: ['user:read', 'user:write', 'invoice:read'] }));
    for (const [method, path, body] of [
      ['POST', '/user-invitations', { email: people.newEmail(), roles: ['administrator'] }],
      ['POST', '/user-invitations', { email: people.newEmail(), roles: ['support'] }],
      ['POST', '/user-roles', { name: 'More', permissions: ['*'] }],
      ['POST', '/user-roles', { name: 'More', permissions: ['invoice:write'] }],
      ['PUT', `/users/${id}/roles`, { roles: [] }],
      ['DELETE', `/users/${id}`, undefined],
      ['POST', `/users/${id}/end-sessions`, undefined],
    ] as const)
      expect([path, (await weak(method, path, body)).body.reason]).toEqual([path, 'permission_denied']);
    expect((await weak('POST', '/user-roles', { name: 'Readers', permissions: ['invoice:read'] })).status).toBe(201);
  });

  it('somebody who may do everything stays, also when two take each other away at the same moment', async () => {
    const emails = [await people.join(other, ['administrator']), await people.join(other, ['administrator'])];
    const users = [await aUser(other, emails[0]!), await aUser(other, emails[1]!)];
    const answers = await Promise.all(
      users.map(({ id }) => other('PUT', `/users/${id}/roles`, { roles: ['support'] })),
    );
    expect(answers.map(({ status, body }) => [status, body.reason ?? null]).sort()).toEqual([
      [200, null],
      [422, 'last_administrator'],
    ]);
    const left = users[answers.findIndex(({ status }) => status === 422)]!;
    expect((await other('DELETE', `/users/${left.id}`)).body.reason).toBe('last_administrator');
  });

  it('an invitation that is accepted by two clicks lets its owner in, and nobody else', async () => {
    const email = people.newEmail();
    const path = await people.invite(admin, email, ['support']);
    const click = async (password: string, headers = {}) => {
      const { status, headers: answered } = await people.post(path, { ...names, password }, headers);
      return [status, answered.get('location'), answered.has('set-cookie')];
    };
    const names = { firstName: 'Ada', lastName: 'Berg' };
    const entered = [303, '/public/account', true];
    expect(await Promise.all([click(PASSWORD), click(PASSWORD)])).toEqual([entered, entered]);
    expect(await click(PASSWORD)).toEqual(entered);
    expect(await click('what somebody else has')).toEqual([404, null, false]);
    await test.peek(`UPDATE user_invitation SET answered_at = now() - interval '11 seconds' WHERE email = $1`, [email]);
    expect(await click(PASSWORD)).toEqual([404, null, false]);
  });

  it('an invitation works once, for its address alone, until it is revoked or over', async () => {
    const email = people.newEmail();
    const path = await people.invite(admin, email, ['support']);
    expect(
      (await admin('POST', '/user-invitations', { email: email.toUpperCase(), roles: ['support'] })).body.reason,
    ).toBe('already_exists');
    const { id } = (await admin('GET', '/user-invitations')).body.data[0];
    for (let n = 0; n < 3; n++)
      expect((await people.anyone('GET', `${path}?lang=en`)).body).toContain('Accept invitation');
    expect((await admin('DELETE', `/user-invitations/${id}`)).status).toBe(204);
    expect((await admin('DELETE', `/user-invitations/${id}`)).status).toBe(404);
    expect((await people.anyone('GET', `${path}?lang=de`)).status).toBe(404);
    const again = await people.invite(admin, email, ['support']);
    const fields = { firstName: 'Eva', lastName: 'Ost', password: PASSWORD };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => people.post(again, { ...fields, password: `${PASSWORD} ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404 || status === 200)).toHaveLength(7);
    const late = people.newEmail();
    const latePath = await people.invite(admin, late, ['support']);
    await test.peek(`UPDATE user_invitation SET expires_at = now() - interval '1 second' WHERE email = $1`, [late]);
    expect((await people.post(latePath, fields)).status).toBe(404);
    expect((await admin('GET', '/user-invitations')).body.data[0]).toMatchObject({ email: late, status: 'expired' });
    expect((await admin('POST', '/user-invitations', { email: late, roles: ['support'] })).status).toBe(201);
    const types = await test.peek<{ type: string }>(
      `SELECT n->>'type' AS type FROM outbox, jsonb_array_elements(payload::jsonb->'notices') n
       WHERE tenant_id = $1 AND type = 'identity.tenant.changed.v1'`,
      [tenantIds[0]],
    );
    for (const type of ['sent', 'accepted', 'revoked'])
      expect(types.map((row) => row.type)).toContain(`user.invitation.${type}`);
  });

  it('one person works for several tenants, with a session for each', async () => {
    const email = await people.join(admin, ['support']);
    const path = await people.invite(other, email, ['read_only']);
    expect((await people.anyone('GET', `${path}?lang=en`)).body).toContain('There is an account');
    expect((await people.post(path, { firstName: 'X', lastName: 'Y', password: 'quite another one' })).status).toBe(
      200,
    );
    const signedIn = await people.post('/public/account/sign-in', { email, password: PASSWORD, next: path });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, path]);
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    const page = (await people.anyone('GET', `${path}?lang=en`, undefined, { cookie })).body as string;
    expect(page).toContain('Accept as Ada Berg');
    expect((await people.post(path, {}, { cookie })).status).toBe(403);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)![1]!;
    expect((await people.post(path, { csrf }, { cookie })).status).toBe(303);

    const { body } = await people.signIn(email);
    expect(body.data.tenants.map(({ id }: { id: string }) => id)).toEqual(tenantIds);
    const first = (await verify(body.data.accessToken)).body.principal;
    expect(first.tenantId).toBe(tenantIds[0]);
    const send = test.as(first);
    const elsewhere = await send('POST', '/public/users/other-tenant', { tenantId: tenantIds[1] });
    expect(elsewhere.status).toBe(200);
    expect((await verify(elsewhere.body.data.accessToken)).body.principal).toMatchObject({ tenantId: tenantIds[1] });
    expect((await verify(body.data.accessToken)).status).toBe(200);
    expect((await send('POST', '/public/users/other-tenant', { tenantId: newUuid() })).body.reason).toBe('no_tenant');
    expect((await people.signIn(email, { tenantId: tenantIds[1] })).body.data.tenantId).toBe(tenantIds[1]);
    const { id } = await aUser(other, email);
    expect((await other('POST', `/users/${id}/end-sessions`)).body).toEqual({ ended: 2 });
    expect((await verify(elsewhere.body.data.accessToken)).status).toBe(401);
    expect((await verify(body.data.accessToken)).status).toBe(200);
  });

  it('a refresh token counts once; signing out ends the session', async () => {
    const email = await people.join(admin, ['support']);
    const first = await people.tokens(email);
    const refresh = (refreshToken: string) => people.anyone('POST', '/public/users/refresh', { refreshToken });
    const second = (await refresh(first.refreshToken)).body.data;
    expect((await verify(first.accessToken)).status).toBe(401);
    const send = await as(second.accessToken);
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await verify(second.accessToken)).status).toBe(401);
    expect((await send('POST', '/public/users/sign-out')).status).toBe(401);
    const third = await people.tokens(email);
    expect((await (await as(third.accessToken))('POST', '/public/users/sign-out')).status).toBe(200);
    expect((await verify(third.accessToken)).status).toBe(401);
    expect((await refresh(third.refreshToken)).status).toBe(401);
    expect((await people.anyone('POST', '/public/users/sign-out')).status).toBe(401);
    for (const token of ['usr_x', `usp_${'x'.repeat(50)}`, third.refreshToken])
      expect((await verify(token)).status).toBe(401);
  });

  it('a new password comes by mail, alike for known and unknown addresses, and ends all sessions', async () => {
    const email = await people.join(admin, ['support']);
    const { accessToken } = await people.tokens(email);
    const ask = (to: string) => people.anyone('POST', '/public/users/request-password-reset', { email: to });
    const answers = [await ask(email), await ask(people.newEmail())];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { success: true }],
      [200, { success: true }],
    ]);
    const path = await people.linkTo(email, 'password_reset');
    expect((await people.anyone('GET', `${path}?lang=en`)).body).toContain('Set a new password');
    expect((await people.post(path, { password: 'password123' })).status).toBe(422);
    expect((await people.post(path, { password: 'a much better one' })).status).toBe(200);
    expect((await people.post(path, { password: 'a much better one' })).status).toBe(404);
    expect((await verify(accessToken)).status).toBe(401);
    expect((await people.signIn(email)).status).toBe(401);
    expect((await people.signIn(email, { password: 'a much better one' })).status).toBe(200);
    await eventually(
      async () => (await people.mails(email)).some(({ kind }) => kind === 'password_changed'),
      'word of the new password',
    );
    for (let n = 0; n < 8; n++) expect((await ask(email)).status).toBe(200);
    await eventually(
      async () => (await test.peek(`SELECT 1 FROM due_work WHERE kind = 'identity.account-event'`)).length === 0,
      'nothing is left to do',
    );
    expect((await people.mails(email)).filter(({ kind }) => kind === 'password_reset')).toHaveLength(5);
  });

  it.each([
    ['/user-invitations', {}, 400],
    ['/user-invitations', { email: 'none', roles: ['support'] }, 422],
    ['/user-invitations', { email: 'a@b.example', roles: [] }, 422],
    ['/user-invitations', { email: 'a@b.example', roles: ['chief'] }, 422],
    ['/user-invitations', { email: 'a@b.example', roles: ['support'], language: 'fr' }, 422],
    ['/user-roles', { name: '', permissions: ['invoice:read'] }, 422],
    ['/user-roles', { name: 'x', permissions: ['operator'] }, 403],
    ['/user-roles', { name: 'x', permissions: ['nothing'] }, 422],
    ['/public/users/sign-in', { email: 'a@b.example' }, 400],
    ['/public/users/sign-in', { email: 'a@b.example', password: 'x', more: 1 }, 400],
    ['/public/users/refresh', { refreshToken: 'urt_nothing' }, 401],
    ['/public/users/other-tenant', { tenantId: newUuid() }, 401],
  ])('%s refuses %j', async (path, body, status) => expect((await admin('POST', path, body)).status).toBe(status));
});
