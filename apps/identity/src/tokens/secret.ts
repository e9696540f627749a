import { createHash, randomBytes } from 'node:crypto';

/** Prefixes tell a reader of a log (and a secret scanner) what leaked. */
export type SecretPrefix = 'api_' | 'cus_' | 'cur_';

/** A new bearer secret with 256 random bits. */
export const newSecret = (prefix: SecretPrefix): string => prefix + randomBytes(32).toString('base64url');

/** What is stored of a secret. A plain hash suffices: 256 random bits cannot be guessed, so there is nothing to slow down. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
