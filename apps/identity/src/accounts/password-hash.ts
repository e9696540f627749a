import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { normalPassword } from '../domain/passwords.js';

const derive = promisify(argon2);

/** What OWASP asks of argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([\w+/]+)\$([\w+/]+)$/;
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** A password as it is stored: argon2id with a salt of its own, in the format that all libraries read. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', {
    message: Buffer.from(normalPassword(password)),
    nonce: salt,
    tagLength: TAG_BYTES,
    ...COST,
  });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Costs the same where there is no password: then it is compared with one that nobody has. */
export const NOBODYS_PASSWORD = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether it is the password that `stored` was made of; never, and as slowly, where nothing is stored. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = FORMAT.exec(stored ?? NOBODYS_PASSWORD) as unknown as string[];
  const expected = Buffer.from(tag!, 'base64');
  const found = await derive('argon2id', {
    message: Buffer.from(normalPassword(password)),
    nonce: Buffer.from(salt!, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(found, expected) && stored !== null;
}
