import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './api.js';

/** The text of a mail as it is in its file, without the line breaks of its encoding. */
const textOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Every address in the mails to somebody, the latest mail last. */
export function linksTo(dataDir: string, email: string): string[] {
  const folder = join(dataDir, 'mails');
  let files: string[] = [];
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.eml'));
  } catch {
    return [];
  }
  return files
    .sort()
    .map((file) => textOf(join(folder, file)))
    .filter((text) => text.toLowerCase().includes(`to: ${email.toLowerCase()}`) || text.includes(`<${email}>`))
    .flatMap((text) => [...new Set(text.match(/https?:\/\/[^\s"<>]+\/(?:link|login)\/[\w-]{22}/g) ?? [])]);
}

/** Waits for the `n`th link that is mailed to somebody. */
export const mailedLink = (dataDir: string, email: string, n = 1): Promise<string> =>
  eventually(`link ${n} to ${email}`, () => Promise.resolve(linksTo(dataDir, email)[n - 1]));
