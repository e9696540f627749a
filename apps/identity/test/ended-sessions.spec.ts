import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, type TenantId } from '@kontor/kernel';
import { testService, type TestService } from '@kontor/testing';
import { endSessionsOf } from '../src/customer-sessions/end-sessions-of.js';
import { CreateSandboxTenant, identityService, Issuers } from '../src/index.js';
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
    const id = await new Session({ accountId, loginTs: 1 } as never).save(SECONDS);
    const atBegin = async () => (await Session.find(id))!;
    const isKept = async (of: { readonly id: string }) => (await Session.find(of.id)) !== undefined;
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
});
