import { createHash } from 'node:crypto';
import type { MeteredPeriod } from '../domain/metering/metered.js';

/**
 * The id of the closing of a period, a UUID: a repeated request, after a crash or at the same time, has the same one.
 */
export function closingIdOf({ itemId, from, to, meter, itemRevision, corrections }: MeteredPeriod): string {
  const named = [itemId, from, to, meter.source, meter.id, ...meter.groupBy, itemRevision, corrections];
  const hex = createHash('sha256').update(JSON.stringify(named)).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
