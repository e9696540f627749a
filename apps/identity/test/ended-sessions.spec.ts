import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerChangedV1 } from '@kontor/contracts';
import { newUuid, type TenantId } from '@kontor/kernel';
import { eventually, testService, type TestService } from '@kontor/testing';
import { endSessionsOf } from '../src/customer-sessions/end-sessions-of.js';
import { openSession } from '../src/customer-sessions/open-session.js';
import { CreateSandboxTenant, identityService, Issuers } from '../src/index.js';
import { MakeLoginLinks } from '../src/login-links/make-login-links.js';
import { OpenLoginLink } from '../src/login-links/open-login-link.js';
import { FakeServices } from './fake-services.js';

const SECONDS = 3600;

/** Each request to sign in reads the session of its browser when it begins, and saves it when it ends. */
describe('a session at apps that is ended while a request goes on', () => {
  let fakes: FakeServices;
  let test: TestService;
  let tenantId: TenantId;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    const create = test.service.get(CreateSandboxTenant);
    ({ tenantId } = await create.execute({ name: 'One', plan: 'standard', features: [], now: null }));
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  async function aSession() {
    const { Session } = (await test.service.get(Issuers).of('sandbox')).provider;
    const accountId = newUuid();
    const id = await Object.assign(new Session(), { accountId, loginTs: 1 }).save(SECONDS);
    const atBegin = async () => (await Session.find(id))!;
    // The library's types do not have the id of a session.
    const isKept = async (of: object) => (await Session.find((of as { id: string }).id)) !== undefined;
    return { accountId, id, atBegin, isKept };
  }
  const signOut = (accountId: string) =>
    test.service.kit.database.tenant(tenantId, (tx) => endSessionsOf(tx, accountId));

  it('stays ended', async () => {
    const { accountId, atBegin, isKept } = await aSession();
    const session = await atBegin();
    await signOut(accountId);
    await session.save(SECONDS);
    expect(await isKept(session)).toBe(false);
  });

  it('also where that request signs in again, and where it is a logout that ends it', async () => {
    const { atBegin, isKept } = await aSession();
    const [session, atLogout] = [await atBegin(), await atBegin()];
    session.resetIdentifier();
    await atLogout.destroy();
    await session.save(SECONDS);
    expect(await isKept(session)).toBe(false);
  });

  it('goes on otherwise, in two tabs at once, too', async () => {
    const { id, accountId, atBegin, isKept } = await aSession();
    const tabs = [await atBegin(), await atBegin()];
    for (const tab of tabs) tab.resetIdentifier();
    await Promise.all(tabs.map((tab) => tab.save(SECONDS)));
    expect([await isKept({ id }), await isKept(tabs[0]!), await isKept(tabs[1]!)]).toEqual([false, true, true]);
    await signOut(accountId);
    expect([await isKept(tabs[0]!), await isKept(tabs[1]!)]).toEqual([false, false]);
  });

  it('and so does one of the customer area that is opened by a link meanwhile', async () => {
    const customerId = newUuid();
    await test.giveCopy('customer', tenantId, customerId, { ...customerChangedV1.example.state, id: customerId });
    const { database } = test.service.kit;
    const request = { id: newUuid(), interaction: null, at: new Date() };
    const { links } = await database.tenant(tenantId, (tx) =>
      test.service.get(MakeLoginLinks).execute(tx, request, [customerId]),
    );
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    // In no transaction of the one that has it begin.
    const signOutBeside = AsyncResource.bind(signOut);
    let ended: Promise<void> | undefined;
    const opened = await test.service
      .get(OpenLoginLink)
      .use(links[0]!.link.split('/').at(-1)!, { interaction: null, browser: null }, async (tx) => {
        ended = signOutBeside(customerId);
        await eventually(async () => (await test.peek(waits)).length > 0, 'the end of the sessions waits');
        return openSession(tx, customerId, new Date());
      });
    await ended;
    expect(opened).toMatchObject({ accessToken: expect.any(String) });
    expect(await test.peek('SELECT FROM customer_session WHERE customer_id = $1', [customerId])).toEqual([]);
  });
});
