import type { RetentionRule } from '@kontor/persistence';
import { ConfigurationError, type ServiceConfig } from '@kontor/service-kit';

/** What is deleted of a tenant, and when: deliveries go before their events. */
export function retention(config: ServiceConfig): readonly RetentionRule[] {
  const deliveryDays = config.days('WEBHOOK_DELIVERY_DAYS', 30);
  const eventDays = config.eventLogDays;
  if (eventDays !== null && (deliveryDays === null || deliveryDays > eventDays))
    throw new ConfigurationError(
      'WEBHOOK_DELIVERY_DAYS must not be more than EVENT_LOG_DAYS: a delivery needs its event.',
    );
  return [
    {
      table: 'delivery',
      ids: 'ulid',
      days: deliveryDays,
      where: `t.status <> 'pending'`,
      with: 'DELETE FROM delivery_attempt a USING gone WHERE a.tenant_id = $1 AND a.delivery_id = gone.id',
    },
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
