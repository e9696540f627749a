import type { OutboxRecord } from '../bus/bus-port.js';
import type { Leadership } from './relay-session.js';

/**
 * Epoch and position order events even after a database was restored. `released`: out of its place, after it was refused,
 * so that its place says nothing about who has dealt with it. `again`: in a
 * topic that was lost, so that who had dealt with it before passes it over.
 */
export function stamp(row: OutboxRecord, { epoch }: Leadership, mark?: 'released' | 'again'): OutboxRecord {
  const place = `"epoch":${epoch},"position":${row.id}${mark ? `,"${mark}":true` : ''}`;
  return { ...row, headers: row.headers === '{}' ? `{${place}}` : `{${place},${row.headers.slice(1)}` };
}
