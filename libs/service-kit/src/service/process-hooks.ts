import { randomUUID } from 'node:crypto';
import { configureMessaging } from '@kontor/messaging';
import { onCommit, serviceOf } from '@kontor/persistence';
import { traceparentFrom } from '../http/ids.js';
import { requestContext, runInContext } from '../http/request-context.js';

/** Ties messaging to transactions and request contexts; the same for all services of a process. */
export function connectMessagingToRequests(): void {
  configureMessaging({
    afterCommit: (tx, run) => onCommit(tx, run),
    serviceOf,
    headers() {
      const context = requestContext();
      if (!context) return {};
      return {
        requestId: context.requestId,
        traceparent: context.traceparent,
        ...(context.actor ? { actor: context.actor } : {}),
      };
    },
    runWithHeaders: (headers, work) =>
      runInContext(
        {
          requestId: headers.requestId ?? randomUUID(),
          traceparent: traceparentFrom(headers.traceparent),
          ...(headers.actor ? { actor: headers.actor } : {}),
        },
        work,
      ),
  });
}
