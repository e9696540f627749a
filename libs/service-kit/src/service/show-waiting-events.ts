import type { Messaging, Stall } from '@kontor/messaging';
import type { Metrics } from '../observability/metrics.js';

/** For how long events have been waiting in this process, as metrics; 0 while they flow. */
export function showWaitingEvents(metrics: Metrics, messaging: Messaging): void {
  const longest = (isMeant: (stall: Stall) => boolean): number =>
    Math.max(
      0,
      ...messaging
        .stalls()
        .filter(isMeant)
        .map(({ since }) => (Date.now() - since.getTime()) / 1000),
    );
  metrics.gauge(
    'event_relay_stalled_seconds',
    'For how long this process has not been able to publish events; 0 while it can, or another one does.',
    () => longest(({ part }) => part === 'relay'),
  );
  metrics.gauge(
    'event_consumer_stalled_seconds',
    'For how long this process has not been able to read or apply events; 0 while it can.',
    () => longest(({ part }) => part !== 'relay'),
  );
}
