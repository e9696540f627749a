import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal, type Send, testService, type TestService } from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';
import { PASSWORD, People } from './people.js';
import { type Lie, SoftAuthenticator } from './soft-authenticator.js';

const [ACCOUNT, SIGN_IN] = ['/public/account', '/public/account/sign-in'];

describe('what somebody tries with passkeys', () => {
  let fakes: FakeServices;
  let test: TestService;
  let people: People;
  let admin: Send;
  let origin: string;
  let ada: Person;
  let device: SoftAuthenticator;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    people = new People(test);
    const create = test.service.get(CreateSandboxTenant);
    const { tenantId } = await create.execute({ name: 'Keys', plan: 'standard', features: [], now: null });
    admin = test.as(apiKeyPrincipal(tenantId));
    origin = test.service.url.replace('127.0.0.1', 'localhost');
  }, 60_000);
  beforeEach(async () => {
    ada = await person();
    device = new SoftAuthenticator(origin);
  });
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  interface Person {
    readonly cookie: string;
    readonly csrf: string;
  }
  const post = (path: string, fields: Record<string, string>, cookie = ''): Promise<Response> =>
    fetch(origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, cookie },
      body: new URLSearchParams(fields).toString(),
    });
  const pageOf = async (path: string, cookie = ''): Promise<string> => {
    const response = await fetch(origin + path, { headers: { cookie } });
    expect(response.status).toBe(200);
    return response.text();
  };
  const fieldIn = (html: string, name: string): string => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)![1]!;

  async function person(): Promise<Person> {
    const email = await people.join(admin, ['support']);
    const cookie = (await post(SIGN_IN, { email, password: PASSWORD })).headers.get('set-cookie')!.split(';')[0]!;
    return { cookie, csrf: fieldIn(await pageOf(ACCOUNT, cookie), 'csrf') };
  }
  const challengeFor = async ({ cookie }: Person): Promise<string> =>
    fieldIn(await pageOf(ACCOUNT, cookie), 'challenge');
  const challengeForAnybody = async (): Promise<string> => fieldIn(await pageOf(SIGN_IN), 'challenge');

  /** 200: it is added. 422: it is not. */
  async function add(who: Person, from = device, { challenge, ...lie }: Lie & { challenge?: string } = {}) {
    const asked = challenge ?? (await challengeFor(who));
    const passkey = JSON.stringify(from.create(asked, lie));
    const fields = { action: 'passkey_add', csrf: who.csrf, challenge: asked, passkey, name: 'Key' };
    return (await post(ACCOUNT, fields, who.cookie)).status;
  }
  /** 303: it lets somebody in. 401: it does not. */
  async function signIn(from = device, { challenge, ...lie }: Lie & { challenge?: string } = {}) {
    const asked = challenge ?? (await challengeForAnybody());
    return (await post(SIGN_IN, { challenge: asked, passkey: JSON.stringify(from.get(asked, lie)) })).status;
  }

  const lies: [string, Lie][] = [
    ['another origin', { origin: 'http://localhost:1' }],
    ['another site', { site: 'evil.example' }],
    ['nobody there', { isPresent: false }],
    ['nobody who was asked for it', { isVerified: false }],
    ['an answer to another question', { type: 'webauthn.other' }],
  ];
  it.each(lies)('%s adds none and lets nobody in', async (_what, lie) => {
    expect(await add(ada, device, lie)).toBe(422);
    expect(await add(ada)).toBe(200);
    expect(await signIn(device, lie)).toBe(401);
    expect(await signIn()).toBe(303);
  });

  it('a question counts once, for whom and for what it was asked', async () => {
    const bob = await person();
    expect(await add(ada, device, { challenge: await challengeFor(bob) })).toBe(422);
    expect(await add(ada, device, { challenge: await challengeForAnybody() })).toBe(422);
    const challenge = await challengeFor(ada);
    expect(await add(ada, device, { challenge })).toBe(200);
    expect(await add(ada, new SoftAuthenticator(origin), { challenge })).toBe(422);
    expect(await signIn(device, { challenge: await challengeFor(ada) })).toBe(401);
    const once = await challengeForAnybody();
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(device, { challenge: once })));
    expect(answers.sort()).toEqual([303, 401, 401, 401]);
  });

  it('a passkey is of one person and one device', async () => {
    expect(await add(ada)).toBe(200);
    expect(await add(await person())).toBe(422);
    const copy = new SoftAuthenticator(origin);
    copy.id = device.id;
    expect(await signIn(copy)).toBe(401);
    device.counter = 5;
    expect(await signIn()).toBe(303);
    for (const counter of [4, 5, 0]) {
      device.counter = counter;
      expect(await signIn()).toBe(401);
    }
  });

  it.each([[{}], [null], [5], ['usb'], [[1, null, {}]], [['\0']]])(
    'ways to a passkey that are none (%j) are not kept',
    async (transports) => {
      expect(await add(ada, device, { transports })).toBe(200);
      expect(await challengeFor(ada)).toMatch(/^[\w-]+$/);
    },
  );
});
