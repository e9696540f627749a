import { createHash } from 'node:crypto';

/** What is stored of a secret. A plain hash suffices: 256 random bits cannot be guessed, so there is nothing to slow down. */
export const digestOf = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest();
