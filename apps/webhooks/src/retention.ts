import type { RetentionRule } from '@kontor/persistence';
import { ConfigurationError, type ServiceConfig } from '@kontor/service-kit';

/**
 * Receivers that were removed, of which deliveries are left. From one receiver to the next by their index: with millions of deliveries,
 * looking at each of them every hour would cost more than all else that is done with them.
 */
const REMOVED = `ARRAY(
  WITH RECURSIVE receiver AS (
    (SELECT d.endpoint_id AS id FROM delivery d WHERE d.tenant_id = $1 ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM delivery d WHERE d.tenant_id = $1 AND d.endpoint_id > r.id ORDER BY d.endpoint_id LIMIT 1)
    FROM receiver r WHERE r.id IS NOT NULL
  )
  SELECT r.id FROM receiver r
  WHERE r.id IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_endpoint e WHERE e.tenant_id = $1 AND e.id = r.id))`;

/** What is deleted of a tenant, and when: deliveries go before their events. */
export function retention(config: ServiceConfig): readonly RetentionRule[] {
  const deliveryDays = config.days('WEBHOOK_DELIVERY_DAYS', 30);
  const eventDays = config.eventLogDays;
  if (eventDays !== null && (deliveryDays === null || deliveryDays > eventDays))
    throw new ConfigurationError(
      'WEBHOOK_DELIVERY_DAYS must not be more than EVENT_LOG_DAYS: a delivery needs its event.',
    );
  const delivery = {
    table: 'delivery',
    ids: 'ulid',
    with: 'DELETE FROM delivery_attempt a USING gone WHERE a.tenant_id = $1 AND a.delivery_id = gone.id',
  } as const;
  return [
    // Of receivers that were removed: nobody sees these any more, and there may be millions.
    {
      ...delivery,
      days: 0,
      where: `cardinality(${REMOVED}) > 0 AND t.endpoint_id = ANY (${REMOVED})`,
    },
    { ...delivery, days: deliveryDays, where: `t.status <> 'pending'` },
    {
      table: 'webhook_event',
      ids: 'ulid',
      days: eventDays,
      // A receiver that is still to get an old one keeps it and those after it.
      where: `coalesce(t.id < (SELECT min(d.event_id) FROM delivery d WHERE d.tenant_id = $1 AND d.status = 'pending'), true)`,
    },
    { table: 'activity', ids: 'uuid', days: config.days('ACTIVITY_DAYS', 0), where: 'NOT t.pinned' },
  ];
}
