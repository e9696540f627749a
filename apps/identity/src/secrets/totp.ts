import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Clocks of telephones differ: one step before and after counts, too. */
const TOLERANCE = 1;

/** Bytes as people copy them: RFC 4648 base32 without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((part) => ALPHABET[parseInt(part.padEnd(5, '0'), 2)]).join('');
}

/** The code of one step. @see RFC 6238, RFC 4226 section 5.3 */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.at(-1)! & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export const totpStep = (at: Date): number => Math.floor(at.getTime() / 1000 / STEP_SECONDS);

/** The step that a code belongs to at a time; null for a wrong one. */
export function stepOfCode(secret: Buffer, code: string, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const now = totpStep(at);
  let found: number | null = null;
  for (let step = now - TOLERANCE; step <= now + TOLERANCE; step++)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) found = step;
  return found;
}

/** What a QR code says to an app that makes codes. */
export const totpUri = (secret: Buffer, account: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
