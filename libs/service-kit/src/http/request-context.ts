import { requestScope, type RequestScope } from '@kontor/persistence';
import type { EventHeaders, Principal } from '@kontor/contracts';

/** What a request carries through every call below it: HTTP requests, and consumers with the headers of their event. */
export interface RequestContext extends RequestScope {
  requestId: string;
  /** What is asked for, such as `POST /customers`; absent for events. */
  operation?: { readonly service: string; readonly name: string };
  /** W3C trace context of the current span. */
  traceparent: string;
  /** Where the request came from, as the gateway says. */
  address?: string;
  userAgent?: string;
  principal?: Principal;
  /** Who caused it, for events and activity entries; absent for the system itself. */
  actor?: NonNullable<EventHeaders['actor']>;
}

/** The request (or event) in hand; undefined in work that nobody asked for, such as a scheduled run. */
export const requestContext = (): RequestContext | undefined => requestScope.getStore() as RequestContext | undefined;

export const runInContext = <T>(context: RequestContext, work: () => T): T => requestScope.run(context, work);

export const actorOf = (principal: Principal): NonNullable<EventHeaders['actor']> => ({
  kind: principal.kind,
  id: principal.subjectId,
  ...(principal.name ? { name: principal.name } : {}),
});
