import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes show a reader of a log (and a secret scanner) what leaked. */
export type SecretPrefix = 'api_' | 'cus_' | 'cur_' | 'usr_' | 'urt_' | 'usp_';

const FORMAT = /^(?:api|cus|cur|usr|urt|usp)_[\w-]{43}(?<checksum>[0-9a-z]{7})$/;
const CHECKSUM_LENGTH = 7;
const FAMILY_BYTES = 16;

/** A new bearer secret: prefix, 256 random bits, and a checksum of both. One that takes another's place may be of its family. */
export function newBearerSecret(prefix: SecretPrefix, family: Buffer = randomBytes(FAMILY_BYTES)): string {
  const secret = prefix + Buffer.concat([family, randomBytes(32 - FAMILY_BYTES)]).toString('base64url');
  return secret + checksumOf(secret);
}

/** What a secret has in common with all that take its place: half of its random bits. */
export const familyOf = (secret: string): Buffer =>
  Buffer.from(secret.slice(4, -CHECKSUM_LENGTH), 'base64url').subarray(0, FAMILY_BYTES);

/**
 * Whether a text can be a secret that was made here. The checksum proves nothing, as anybody can compute it; it keeps
 * mistyped and made-up ones from being looked up.
 */
export function isBearerSecret(text: string): boolean {
  const checksum = FORMAT.exec(text)?.groups?.['checksum'];
  return checksum !== undefined && checksum === checksumOf(text.slice(0, -CHECKSUM_LENGTH));
}

const checksumOf = (secret: string): string => crc32(secret).toString(36).padStart(CHECKSUM_LENGTH, '0');
