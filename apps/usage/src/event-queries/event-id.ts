import { isUlid, ulidToUuid } from '@kontor/kernel';
import { UUID_FORM } from './list-cursor.js';

/** The stored id of a ULID or of the UUID form of the same 16 bytes; undefined for what is neither. */
export function storedIdOf(text: string): string | undefined {
  const upper = text.toUpperCase();
  if (isUlid(upper)) return ulidToUuid(upper);
  return UUID_FORM.test(text.toLowerCase()) ? text.toLowerCase() : undefined;
}
