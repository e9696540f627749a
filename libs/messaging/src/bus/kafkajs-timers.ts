import { onDemand } from '@kontor/kernel';

const library = onDemand<unknown>('kafkajs/src/network/requestQueue/index.js', import.meta.url);

/** As far as this file needs it: a broker's requests, which wait while the broker throttles. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

/**
 * kafkajs sets a timer for the end of a throttling that is none: a negative one, of which Node warns. Without a request that
 * waits there is nothing to check then.
 */
export function withoutNegativeTimers(): void {
  const { prototype } = library() as { prototype: RequestQueue & { patched?: true } };
  if (prototype.patched) return;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
  prototype.patched = true;
}
