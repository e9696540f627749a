import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './api.js';

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
