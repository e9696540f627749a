import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  apiKeyPrincipal,
  eventually,
  hasChromium,
  launchChromium,
  type Send,
  testService,
  type TestService,
} from '@kontor/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { totpCode, totpStep } from '../src/secrets/totp.js';
import { FakeServices } from './fake-services.js';
import { bytesOf, PASSWORD, People } from './people.js';

const withBrowser = hasChromium() ? describe : describe.skip;

withBrowser('the pages of an account, in a browser', () => {
  let fakes: FakeServices;
  let test: TestService;
  let people: People;
  let admin: Send;
  let origin: string;
  let browser: Browser;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    people = new People(test);
    const create = test.service.get(CreateSandboxTenant);
    const { tenantId } = await create.execute({ name: 'Nordlicht', plan: 'standard', features: [], now: null });
    admin = test.as(apiKeyPrincipal(tenantId));
    // Browsers have no passkeys for addresses of numbers.
    origin = test.service.url.replace('127.0.0.1', 'localhost');
    browser = await launchChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await test?.stop();
    fakes?.stop();
  });

  interface Opened {
    readonly context: BrowserContext;
    readonly page: Page;
    readonly wrong: string[];
  }
  /** A window; what goes wrong on its pages is collected. */
  async function open(width: number, language = 'en-GB', colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width, height: 800 }, locale: language, colorScheme });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/status of 4\d\d/.test(message.text()))
        wrong.push(message.text());
    });
    page.on('pageerror', (error) => void wrong.push(error.message));
    page.on('request', (request) => void (request.url().startsWith(origin) || wrong.push(request.url())));
    return { context, page, wrong };
  }
  /** It fits the width, has one heading, and every field has a name. */
  async function look(page: Page, name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/account-${name}.png`, fullPage: true });
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect([name, scroll <= client]).toEqual([name, true]);
    expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
    const unnamed = await page.evaluate(
      () =>
        [...document.querySelectorAll('input:not([type=hidden])')].filter(
          (input) => !(input as HTMLInputElement).labels?.length,
        ).length,
    );
    expect([name, unnamed]).toEqual([name, 0]);
  }
  const signIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
    await page.goto(`${origin}/public/account/sign-in`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  it('a person is invited, in German, and joins after being shown what is missing', async () => {
    const email = people.newEmail();
    const path = await people.invite(admin, email, ['support']);
    const { context, page, wrong } = await open(360, 'de-DE', 'dark');
    await page.goto(origin + path);
    await look(page, 'invitation-360-dark');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Einladung');
    await page.getByLabel('Vorname').fill('Ada');
    await page.getByLabel('Passwort', { exact: true }).fill('Passwort123!');
    await page.getByRole('button', { name: 'Einladung annehmen' }).click();
    await look(page, 'invitation-refused-360-dark');
    expect(await page.getByLabel('Vorname').inputValue()).toBe('Ada');
    expect(await page.getByLabel('Nachname').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('Dieses Passwort haben viele').isVisible()).toBe(true);
    await page.getByLabel('Nachname').fill('Berg');
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Einladung annehmen' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Ada Berg');
    expect(await page.getByText('Sie arbeiten mit Nordlicht.').isVisible()).toBe(true);
    await look(page, 'security-360-dark');
    expect(wrong).toEqual([]);
    await context.close();
  });

  it('codes of an app are set up and asked for; each, and each recovery code, counts once', async () => {
    const email = await people.join(admin, ['support']);
    const { context, page, wrong } = await open(1440);
    await signIn(page, email);
    await look(page, 'security-1440');
    await page.getByRole('button', { name: 'Set up' }).click();
    await look(page, 'totp-1440');
    const secret = bytesOf((await page.locator('dd code').textContent())!);
    await page.getByLabel('Code').fill(totpCode(secret, totpStep(new Date())));
    await page.getByRole('button', { name: 'Continue' }).click();
    await look(page, 'recovery-1440');
    const codes = await page.locator('li code').allTextContents();
    expect(codes).toHaveLength(10);
    expect(await test.peek('SELECT totp_secret FROM person WHERE totp_secret LIKE $1', ['k1.%'])).toHaveLength(1);
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await signIn(page, email);
    await look(page, 'code-1440');
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByText('The code is wrong').isVisible()).toBe(true);
    await page.getByLabel('Code').fill(codes[0]!.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByText('9 recovery codes are left.').isVisible()).toBe(true);

    expect((await people.signIn(email)).body.reason).toBe('second_factor_required');
    expect((await people.signIn(email, { code: codes[0] })).body.reason).toBe('invalid_credentials');
    expect((await people.signIn(email, { code: codes[1] })).status).toBe(200);
    const next = totpCode(secret, totpStep(new Date()) + 1);
    const answers = await Promise.all(Array.from({ length: 4 }, () => people.signIn(email, { code: next })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await page.getByRole('button', { name: 'Switch off' }).click();
    expect((await people.signIn(email)).status).toBe(200);
    expect(wrong).toEqual([]);
    await context.close();
  });

  it('a passkey signs in without a password; a copy with an old counter does not', async () => {
    const email = await people.join(admin, ['support']);
    const { context, page, wrong } = await open(1440);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(page, email);
    await page.getByLabel('Name of the device').fill('Notebook');
    // A second click comes while the first one's answer is on its way.
    const wait = { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 };
    await devtools.send('Network.emulateNetworkConditions', wait);
    const clickTwice = (name: string) => page.getByRole('button', { name }).dblclick({ delay: 100 });
    await clickTwice('Add passkey');
    await page.getByText('The passkey is added.').waitFor();
    expect(await page.getByText('Notebook').isVisible()).toBe(true);
    await look(page, 'passkey-1440');
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await clickTwice('Sign in with a passkey');
    await page.getByRole('heading', { name: 'Ada Berg' }).waitFor();
    const [entry] = await eventually(async () => {
      const { body } = await admin('GET', '/audit-log?type=sign_in.succeeded&limit=1');
      return body.data[0]?.metadata.methods.includes('passkey') && body.data;
    }, 'the sign-in by passkey in the audit log');
    expect(entry).toMatchObject({
      actor: { kind: 'user', name: 'Ada Berg' },
      metadata: { methods: ['passkey'], browser: true },
    });

    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await test.peek('UPDATE person_passkey SET counter = 1000000');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The passkey was not accepted.').first().waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await test.peek('UPDATE person_passkey SET counter = 0');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The passkey was not accepted.').first().waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await page.getByText('The passkey is removed.').isVisible()).toBe(true);
    expect(wrong).toEqual([]);
    await context.close();
  });

  it('sessions are listed and ended; a new password ends all others; an address counts when it is confirmed', async () => {
    const email = await people.join(admin, ['support']);
    const [first, second] = [await open(360), await open(360)];
    await signIn(first.page, email);
    await signIn(second.page, email);
    await look(second.page, 'security-360');
    await second.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    expect(await second.page.getByText('You are signed out everywhere else.').isVisible()).toBe(true);
    await first.page.goto(`${origin}/public/account`);
    expect(new URL(first.page.url()).pathname).toBe('/public/account/sign-in');
    await signIn(first.page, email);
    await second.page.getByLabel('Current password').fill('not this one');
    await second.page.getByLabel('New password').fill('a much better one');
    await second.page.getByRole('button', { name: 'Save' }).click();
    expect(await second.page.getByRole('alert').first().textContent()).toBe('The password is wrong.');
    await second.page.getByLabel('Current password').fill(PASSWORD);
    await second.page.getByLabel('New password').fill('a much better one');
    await second.page.getByRole('button', { name: 'Save' }).click();
    expect(await second.page.getByText('Your password is changed.').isVisible()).toBe(true);
    await first.page.reload();
    expect(new URL(first.page.url()).pathname).toBe('/public/account/sign-in');
    const other = people.newEmail();
    await second.page.getByLabel('New e-mail address').fill(other);
    await second.page.getByRole('button', { name: 'Send link' }).click();
    const path = await people.linkTo(other, 'email_change');
    await first.page.goto(`${origin}${path}?lang=en`);
    await look(first.page, 'email-360');
    expect((await people.signIn(email, { password: 'a much better one' })).status).toBe(200);
    await first.page.getByRole('button', { name: 'Confirm' }).click();
    expect((await people.signIn(other, { password: 'a much better one' })).status).toBe(200);
    expect((await people.signIn(email, { password: 'a much better one' })).status).toBe(401);
    await eventually(
      async () =>
        (await admin('GET', '/users?limit=100')).body.data.some((user: { email: string }) => user.email === other),
      'the new address',
    );
    await eventually(
      async () => (await people.mails(email)).some(({ kind }) => kind === 'email_changed'),
      'word at the old address',
    );
    expect([...first.wrong, ...second.wrong]).toEqual([]);
    await first.context.close();
    await second.context.close();
  });
});
