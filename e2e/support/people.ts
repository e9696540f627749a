import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Api, eventually } from './api.js';
import { PlainBrowser } from './plain-browser.js';
import type { System } from './system.js';

const PASSWORD = 'correct horse battery';

/** Waits for the address in the invitation that is mailed to somebody. */
export const invitationTo = (dataDir: string, email: string): Promise<string> =>
  eventually(`the invitation to ${email}`, () => {
    const folder = join(dataDir, 'mails');
    const texts = (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => file.endsWith('.eml'))
      .map((file) =>
        readFileSync(join(folder, file), 'utf8')
          .replace(/=\r?\n/g, '')
          .replace(/=3D/g, '='),
      );
    const mail = texts.find((text) => text.includes(email) && text.includes('/public/account/invitation/'));
    return Promise.resolve(mail && /http\S+\/public\/account\/invitation\/[\w-]{22}/.exec(mail)?.[0]);
  });

/** Somebody who was invited by mail, has joined on the page, and has signed in for a token. */
export async function aPerson(
  { dataDir, connection }: System,
  api: Api,
  { email, roles, firstName }: { email: string; roles: string[]; firstName: string },
): Promise<Api> {
  await api.ok('POST', '/user-invitations', { email, roles, language: 'en' });
  const browser = new PlainBrowser();
  const page = await browser.open(await invitationTo(dataDir, email));
  expect(page.html).toContain('Accept invitation');
  const account = await browser.submit(page, { firstName, lastName: 'Berg', password: PASSWORD });
  expect([account.status, account.url.pathname]).toEqual([200, '/public/account']);
  expect(account.html).toContain(`${firstName} Berg`);
  return signedIn(connection.baseUrl, email);
}

/** A further session of somebody who has joined. */
export async function signedIn(baseUrl: string, email: string): Promise<Api> {
  const { data } = await new Api(baseUrl, undefined).ok('POST', '/public/users/sign-in', { email, password: PASSWORD });
  return new Api(baseUrl, data.accessToken);
}
