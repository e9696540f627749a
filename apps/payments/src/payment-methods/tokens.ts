import { createHash, randomBytes } from 'node:crypto';

/** 256 bits that nobody guesses, for an address. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a token. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
