import { randomFillSync, randomUUID } from 'node:crypto';
import { encodeTime, ulid } from 'ulid';
import { validate } from 'uuid';

const COUNTER_BITS = 26;
/** A clock that goes back by more was wrong before, and ids do not follow what it said. */
const MAX_BACK_MS = 60_000;
let milliseconds = 0;
let counter = 0;

/**
 * A new UUIDv7 (RFC 9562), lower case: time-ordered, so primary keys grow at one end of their index. Within a millisecond a
 * counter of 26 bits with a random start keeps the order; 48 bits are random. Made of `randomUUID`, whose random bytes come
 * in bulk: a sixth of the time of asking for each.
 */
export function newUuid(): string {
  const random = randomUUID();
  const now = Date.now();
  if (now > milliseconds || now < milliseconds - MAX_BACK_MS) {
    milliseconds = now;
    // Half of the range, so that the counter has room.
    counter = parseInt(random.slice(0, 8), 16) >>> (33 - COUNTER_BITS);
  } else if (++counter >= 2 ** COUNTER_BITS) {
    milliseconds += 1;
    counter = 0;
  }
  const time = milliseconds.toString(16).padStart(12, '0');
  const high = (0x7000 | (counter >>> 14)).toString(16);
  const low = (0x8000 | (counter & 0x3fff)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low}-${random.slice(24)}`;
}

const randomBytes = new Uint8Array(4096);
let usedBytes = randomBytes.length;

/** Asking for each of a ULID's sixteen random bytes takes twenty times as long as asking for many. */
function randomFraction(): number {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  return randomBytes[usedBytes++]! / 256;
}

/** A new ULID (26 characters, Crockford base 32) for usage events, media, offers and webhook events. */
export const newUlid = (): string => ulid(undefined, randomFraction);

/** The lowest ULID that is made at a time: for ranges of ids. */
export const ulidAt = (at: Date): string => encodeTime(at.getTime(), 10) + '0'.repeat(16);

/** The lowest UUIDv7 that is made at a time. */
export function uuidAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** True for any RFC 9562 UUID in its 8-4-4-4-12 form. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && validate(value);

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** True for a ULID in upper case whose value fits into 128 bits. */
export const isUlid = (value: unknown): value is string => typeof value === 'string' && ULID.test(value);

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The UUID form of the same 16 bytes as a ULID. */
export function ulidToUuid(value: string): string {
  let bits = 0n;
  for (const char of value) bits = bits * 32n + BigInt(ALPHABET.indexOf(char));
  const hex = bits.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The ULID form of the same 16 bytes as a UUID. */
export function uuidToUlid(value: string): string {
  let bits = BigInt(`0x${value.replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}
