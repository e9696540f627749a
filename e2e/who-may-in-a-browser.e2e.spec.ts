import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { launchChromium } from '@kontor/testing';
import * as oidc from 'openid-client';
import type { Browser } from 'playwright-core';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { BrowserWindow, withBrowser } from './support/chromium.js';
import { Connect } from './support/connect.js';
import { mailedLink } from './support/mails.js';
import { OutsideApp } from './support/outside-app.js';
import { invitationTo } from './support/people.js';
import { System } from './support/system.js';
import { stepOf, totp } from './support/totp.js';

const PASSWORD = 'correct horse battery';

/** Apps, people and customers, each in a browser of their own, against one running system. */
withBrowser('who may, in a browser', () => {
  let system: System;
  let baseUrl: string;
  let browser: Browser;
  let started: OutsideApp | undefined;
  beforeAll(async () => {
    system = await System.shared();
    ({ baseUrl } = system.connection);
    browser = await launchChromium();
  });
  afterAll(async () => {
    started?.stop();
    await browser?.close();
  });

  const anyone = (): Api => new Api(baseUrl, undefined);
  const as = (token: string): Api => new Api(baseUrl, token);

  it('an outside app signs a customer in, reads what it is entitled to, refreshes, and hears of the logout twice', async () => {
    const connect = new Connect(system);
    const app = (started = await OutsideApp.start(connect, baseUrl));
    const { id, email } = await connect.someone('de');
    const code = `choir-${process.pid}`;
    await system.api.ok('POST', '/entitlement/features', {
      id: code, name: 'Stimmen', type: 'quantity', status: 'active', config: [{ value: '4', label: 'Vier' }],
    }); // prettier-ignore
    await system.api.ok('POST', `/customers/${id}/entitlements`, { feature: code, value: '4' });

    const window = await BrowserWindow.open(browser, 'de-DE');
    const { page } = window;
    await page.goto(app.page('/'));
    await window.look('Anmelden', 'app-sign-in');
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await window.press('Link zum Anmelden schicken');
    await window.look('Sehen Sie in Ihr Postfach', 'app-mail-sent');
    const link = await mailedLink(system.dataDir, email);
    const elsewhere = await BrowserWindow.open(browser, 'de-DE');
    await elsewhere.page.goto(link);
    await elsewhere.look('Bitte öffnen Sie den Link im selben Browser', 'app-other-browser');
    await elsewhere.close();
    await page.goto(link);
    await window.look('Anmelden', 'app-behind-link');
    await window.press('Als Chor e. V. anmelden');
    await window.look('Chorheft Zugriff erlauben?', 'app-consent');
    await window.press('Erlauben');
    await page.getByRole('heading', { name: 'Hello Ada Berg' }).waitFor();
    expect(await page.getByText('Stimmen: 4').isVisible()).toBe(true);
    await page.goto(link);
    await window.look('Bitte öffnen Sie den Link im selben Browser', 'app-link-used');

    const first = app.tokens!;
    await app.refresh();
    const renewed = app.tokens!;
    expect(renewed.access_token).not.toBe(first.access_token);
    expect(renewed.claims()).toMatchObject({ sub: id, auth_time: first.claims()!.auth_time });
    expect((await as(renewed.access_token).get('/entitlements')).body.data).toHaveLength(1);
    expect((await as(renewed.access_token).get(`/customers/${id}`)).status).toBe(403);
    // Who is signed in already is not asked again.
    await page.goto(app.page('/'));
    await page.getByRole('heading', { name: 'Hello Ada Berg' }).waitFor();

    await page.goto(app.page('/logout'));
    await window.look('Abmelden', 'app-sign-out');
    await window.press('Abmelden');
    await window.look('Sie sind abgemeldet', 'app-leaving');
    await page.getByRole('heading', { name: 'Bye' }).waitFor();
    expect(page.url()).toBe(`${app.page('/bye')}?state=bye`);
    const { sid } = app.tokens!.claims()!;
    expect(app.byBrowser.map((query) => Object.fromEntries(query))).toEqual([{ iss: baseUrl, sid }]);
    await eventually('the server of the app hears of it', () => Promise.resolve(app.byServer.length > 0));
    expect(app.byServer).toEqual([expect.objectContaining({ sub: id, sid, jti: expect.any(String) })]);
    await page.goto(app.page('/silent'));
    await page.getByText('login_required').waitFor();
    // What was granted with `offline` is the app's to revoke; then it counts no longer, at the next request that is a second later.
    await oidc.tokenRevocation(app.config, app.tokens!.refresh_token!);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await as(app.tokens!.access_token).get('/entitlements')).status).toBe(401);
    await window.close();
  });

  it.each([0, 60, 150])(
    'who clicks twice, %i ms apart, at each step signs in to an app all the same',
    async (pauseMs) => {
      const connect = new Connect(system);
      const app = await OutsideApp.start(connect, baseUrl);
      const { email } = await connect.someone('en');
      const window = await BrowserWindow.open(browser);
      const { page } = window;
      const shown = (heading: string) => page.getByRole('heading', { name: heading });
      const pressTwice = async (name: string): Promise<void> => {
        const button = page.getByRole('button', { name, exact: true });
        const { x, y, width, height } = (await button.boundingBox({ timeout: 10_000 }))!;
        const click = (): Promise<void> => page.mouse.click(x + width / 2, y + height / 2);
        await click();
        await sleep(pauseMs);
        await click();
      };
      try {
        await page.goto(app.page('/'));
        await page.getByLabel('E-mail').fill(email);
        await pressTwice('Send a link to sign in');
        await page.goto(await mailedLink(system.dataDir, email));
        await pressTwice('Sign in as Chor e. V.');
        // The second click may have been one at the question already.
        await shown('Allow Chorheft access?').or(shown('Hello Ada Berg')).waitFor();
        if (await shown('Allow Chorheft access?').isVisible()) await pressTwice('Allow');
        await shown('Hello Ada Berg').waitFor();
      } finally {
        app.stop();
        await window.context.close();
      }
    },
  );

  it('a person joins, sets a passkey and codes, and takes a role away from another, who is refused within a second', async () => {
    const { api } = await system.sandbox({ name: 'Nordlicht' });
    // Browsers have no passkeys for addresses of numbers.
    const origin = baseUrl.replace('127.0.0.1', 'localhost');
    const join = async (window: BrowserWindow, email: string, role: string, firstName: string): Promise<void> => {
      await api.ok('POST', '/user-invitations', { email, roles: [role], language: 'en' });
      await window.page.goto(origin + new URL(await invitationTo(system.dataDir, email)).pathname);
      await window.look('Invitation', `invitation-${role}`);
      await window.page.getByLabel('First name').fill(firstName);
      await window.page.getByLabel('Last name').fill('Berg');
      await window.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await window.press('Accept invitation');
      await window.page.getByRole('heading', { name: `${firstName} Berg` }).waitFor();
    };
    const window = await BrowserWindow.open(browser);
    const { page } = window;
    const devtools = await window.context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await join(window, 'jo@who-may.example', 'administrator', 'Jo');
    await page.getByLabel('Name of the device').fill('Notebook');
    await window.press('Add passkey');
    await page.getByText('The passkey is added.').waitFor();
    await window.press('Set up');
    await page.getByLabel('Code', { exact: true }).waitFor();
    await window.look('Jo Berg', 'account-totp');
    const secret = (await page.locator('dd code').textContent())!;
    const step = stepOf(new Date());
    await page.getByLabel('Code', { exact: true }).first().fill(totp(secret, step));
    await window.press('Continue');
    await page.getByText('The sign-in in two steps is switched on.').waitFor();
    const codes = await page.locator('li code').allTextContents();
    expect(codes).toHaveLength(10);
    await window.look('Jo Berg', 'account-recovery');
    await window.press('Sign out');
    // The password alone is not enough any more, the passkey alone is.
    await page.getByLabel('E-mail address').fill('jo@who-may.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await window.press('Sign in');
    await window.look('One more step', 'account-code');
    await page.getByLabel('Code', { exact: true }).fill(totp(secret, step));
    await window.press('Continue');
    await page.getByText('The code is wrong, or was used already.').waitFor();
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await window.look('Sign in', 'account-sign-in');
    await window.press('Sign in with a passkey');
    await page.getByRole('heading', { name: 'Jo Berg' }).waitFor();
    await window.look('Jo Berg', 'account');

    const second = await BrowserWindow.open(browser);
    await join(second, 'ada@who-may.example', 'support', 'Ada');
    const tokenOf = async (email: string, code?: string): Promise<string> => {
      const body = { email, password: PASSWORD, ...(code ? { code } : {}) };
      return (await anyone().ok('POST', '/public/users/sign-in', body)).data.accessToken;
    };
    const refused = await anyone().post('/public/users/sign-in', { email: 'jo@who-may.example', password: PASSWORD });
    expect(refused.body.reason).toBe('second_factor_required');
    const boss = as(await tokenOf('jo@who-may.example', codes[0]));
    const other = as(await tokenOf('ada@who-may.example'));
    const users: Json[] = (await boss.ok('GET', '/users')).data;
    const { id } = users.find(({ firstName }) => firstName === 'Ada')!;
    expect((await other.get('/customers')).status).toBe(200);
    expect((await other.send('PUT', `/users/${id}/roles`, { roles: ['administrator'] })).status).toBe(403);
    await boss.ok('PUT', `/users/${id}/roles`, { roles: [] });
    const takenAt = performance.now();
    // Asks all the time, so that what the gateway has just learned is never out of use.
    for (let asks = true; asks;) {
      asks = performance.now() - takenAt < 1_000;
      const { status, body } = await other.get('/customers');
      if (!asks) expect([status, body.reason]).toEqual([403, 'permission_denied']);
    }
    await second.page.reload();
    await second.page.getByText('You work with Nordlicht.').waitFor();
    await second.close();
    await window.close();
  });

  it('a customer logs in by link, and can do what it may and nothing else', async () => {
    const { api } = await system.sandbox({ name: 'Nordlicht' });
    const email = 'kundschaft@who-may.example';
    const customer = await aCustomer(api, { email, companyName: 'Backhaus Elbe GmbH', language: 'de' });
    const stranger = await aCustomer(api);
    await api.ok('POST', '/public/customer/request-login-link', { email });
    const link = await mailedLink(system.dataDir, email);
    const window = await BrowserWindow.open(browser, 'de-DE');
    const { page } = window;
    await page.goto(link);
    await window.look('Anmelden', 'area-link');
    // A program that checks mails has opened it before; nobody is logged in by that.
    expect(await window.context.cookies(`${baseUrl}/public/customer/area`)).toEqual([]);
    await window.press('Als Backhaus Elbe GmbH anmelden');
    await window.look('Backhaus Elbe GmbH', 'area');
    for (const shown of [email, customer.customerNumber as string, 'Elbchaussee 12'])
      expect([shown, await page.getByText(shown).first().isVisible()]).toEqual([shown, true]);
    const late = await BrowserWindow.open(browser, 'de-DE');
    await late.page.goto(link);
    await late.look('Dieser Link gilt nicht mehr', 'area-link-gone');
    await late.close();

    const [cookie] = await window.context.cookies(`${baseUrl}/public/customer/area`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/public/customer' });
    const ownApi = as(cookie!.value);
    const document: Json = (await system.api.get('/openapi.json')).body;
    const letIn: string[] = [];
    for (const [template, item] of Object.entries<Json>(document.paths))
      for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter((name) => item[name]?.['x-permission'])) {
        const path = template
          .replace('/customers/{id}', `/customers/${customer.id}`)
          .replace(/\{[^}]+\}/g, stranger.id);
        const { status } = await ownApi.send(method.toUpperCase(), path, method === 'post' ? {} : undefined);
        if (status !== 403 && !item[method]['x-customer-tokens'] && !item[method]['x-scope'])
          letIn.push(`${method} ${template}: ${status}`);
      }
    expect(letIn).toEqual([]);
    expect((await ownApi.get('/entitlements')).body.data).toEqual([]);
    expect((await ownApi.get(`/customers/${stranger.id}`)).status).toBe(403);
    expect((await ownApi.get('/invoices')).body.data).toEqual([]);
    expect((await ownApi.get(`/invoices?customer=${stranger.id}`)).body.reason).toBe('foreign_customer');

    await window.press('Abmelden');
    await window.look('Sie sind abgemeldet', 'area-signed-out');
    await page.goBack();
    expect(await page.getByText(email).count()).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await ownApi.get('/invoices')).status).toBe(401);
    await window.close();
  });
});
