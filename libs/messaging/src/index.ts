export {
  BusRefusal,
  type BusPort,
  type LogPage,
  type OffsetStore,
  type OutboxLog,
  type OutboxRecord,
  type RunningSubscription,
  type Subscription,
} from './bus/bus-port.js';
export { EmbeddedBus } from './bus/embedded.bus.js';
export { envelopeText } from './bus/envelope.js';
export { clientConnection, KafkaBus, type KafkaBusOptions, type KafkaConnection } from './bus/kafka.bus.js';
export { GroupMember, type GroupMemberOptions, MEMBERSHIP } from './bus/group-member.js';
export { withEveryCodec } from './bus/compression/every-codec.js';
export { withoutNegativeTimers } from './bus/kafkajs-timers.js';
export { Consume, type ConsumeOptions, EventConsumer, PassErrorOn } from './consumer/consume.decorator.js';
export type { ConsumerHandler } from './consumer/consumer-handler.js';
export { currentEventHeaders } from './consumer/event-context.js';
export { EventServer } from './consumer/event-server.js';
export { ApplyEvents, POISON_TRIES } from './inbox/apply-events.js';
export { isTransient } from './inbox/classify-error.js';
export { type ParkedMessage, ParkedMessages, type WaitingMessages } from './inbox/parked-messages.js';
export { Messaging, type MessagingOptions } from './messaging.js';
export { offsetStore } from './bus/offset-store.js';
export { MESSAGING_TABLES_WITHOUT_POLICY, type MessagingMigration, messagingMigrations } from './migrations.js';
export { appendEvent, appendEvents, MAX_EVENT_BYTES, type NewEvent } from './outbox/append-event.js';
export {
  blankEvents,
  countParked,
  deleteLargeNotices,
  deleteParked,
  type PublishedLog,
  publishedLog,
} from './outbox/blank-events.js';
export { findLargeNotice } from './outbox/large-notices.js';
export { outboxLog } from './outbox/outbox-log.js';
export { Relay, type RelayOptions } from './outbox/relay.js';
export {
  configureMessaging,
  type DedicatedConnection,
  type MessagingDatabase,
  type MessagingHooks,
  type MessagingLogger,
  silentLogger,
} from './ports.js';
export type { Stall } from './stall.js';
export { messagingProgress, type MessagingProgress } from './progress.js';
