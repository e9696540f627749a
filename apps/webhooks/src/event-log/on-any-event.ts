import { allEvents, type EventDefinition, type EventEnvelope } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { RecordActivities } from '../activities/record-activities.js';
import { noticesOf } from '../domain/event-log/notices.js';
import { RecordEvents } from './record-events.js';
import { StoredNotices } from './stored-notices.js';

/** Every event that can carry notices: publishers need not know about webhooks. */
const withNotices = (): EventDefinition[] =>
  allEvents().filter(({ schema }) => 'notices' in ((schema as { properties?: object }).properties ?? {}));

/** Turns the notices of all services into log entries, deliveries and activity entries. */
@EventConsumer()
export class OnAnyEvent {
  constructor(
    private readonly events: RecordEvents,
    private readonly activities: RecordActivities,
    private readonly stored: StoredNotices,
  ) {}

  @Consume(withNotices(), { batch: true, concerns: (event) => noticesOf([event]).length > 0 })
  async handle(events: EventEnvelope[], tx: TenantTx): Promise<void> {
    const found = await this.stored.resolve(tx.tenantId, noticesOf(events));
    if (found.length === 0) return;
    await this.activities.execute(tx, found);
    await this.events.execute(
      tx,
      found.filter(({ notice }) => notice.data !== null),
    );
  }
}
