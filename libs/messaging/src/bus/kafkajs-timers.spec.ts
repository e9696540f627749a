import { expect, it } from '@jest/globals';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { withoutNegativeTimers } from './kafkajs-timers.js';

interface Queue {
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
}

it('a queue without a waiting request sets no timer unless the broker throttles', () => {
  withoutNegativeTimers();
  const queue = new (RequestQueue as unknown as new (options: object) => Queue)({ logger: {} });
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.throttledUntil = Date.now() + 60_000;
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  clearTimeout(queue.throttleCheckTimeoutId ?? undefined);
});
