import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** The bytes that a secret encodes. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
