import { createHash } from 'node:crypto';
import type { MessagingDatabase } from '../ports.js';
import type { Unreadable } from './read-envelope.js';

/** Nobody's. */
const NO_TENANT = '00000000-0000-0000-0000-000000000000';

/** The same for a message however often it is delivered. */
function idOf({ lane, position }: Unreadable): string {
  const hex = createHash('sha256').update(`${lane}@${position}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Puts messages that are no events aside, once each, by the place where they lay: nothing waits behind them. */
export const parkUnreadable = (
  database: MessagingDatabase,
  group: string,
  messages: readonly Unreadable[],
): Promise<void> =>
  database.system(async (sql) => {
    await sql.query(
      `INSERT INTO parked (consumer, event_id, tenant_id, type, topic, aggregate_id, envelope, reason, error)
       SELECT $1, m.id, $2, 'unreadable', m.topic, m.place, m.text, 'poison', m.error
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[]) AS m(id, topic, place, text, error)
       ON CONFLICT DO NOTHING`,
      [
        group,
        NO_TENANT,
        messages.map(idOf),
        messages.map(({ topic }) => topic),
        messages.map(({ lane, position }) => `${lane}@${position}`),
        messages.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
        messages.map(({ error }) => error),
      ],
    );
  });
