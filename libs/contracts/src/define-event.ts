import type { TenantId } from '@kontor/kernel';
import type { Static, TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** Topics are `owner.aggregate`. Hot ones get 48 partitions, the others 12; the counts never change. */
export type Topic =
  | 'identity.tenant'
  | 'identity.login-link'
  | 'identity.user'
  | 'identity.user-mail'
  | 'billing.customer'
  | 'billing.settings'
  | 'billing.catalogue'
  | 'billing.subscription'
  | 'billing.entitlement'
  | 'billing.import'
  | 'billing.charges'
  | 'billing.run'
  | 'invoicing.invoice'
  | 'invoicing.media'
  | 'invoicing.template'
  | 'payments.intent'
  | 'payments.method'
  | 'payments.payer-action'
  | 'payments.wallet'
  | 'payments.bank-transaction'
  | 'usage.metric'
  | 'usage.threshold'
  | 'usage.correction'
  | 'offers.cancellation-notice'
  | 'offers.cart'
  | 'offers.cart-mail'
  | 'offers.checkout-link'
  | 'offers.offer'
  | 'webhooks.endpoint'
  | 'webhooks.comment';

export const HOT_TOPICS: readonly Topic[] = ['billing.charges', 'invoicing.invoice', 'payments.intent'];
export const partitionsOf = (topic: Topic): number => (HOT_TOPICS.includes(topic) ? 48 : 12);

/** One version of one event: `<topic>.<past-tense word>.v<n>`. A breaking change is a new definition beside it. */
export interface EventDefinition<Payload extends TSchema = TSchema> {
  readonly type: string;
  readonly topic: Topic;
  readonly description: string;
  readonly schema: Payload;
  /** Must parse for ever: receivers of today read what was published then. */
  readonly example: Static<Payload>;
  /** First schema violation in words, or undefined. */
  check(payload: unknown): string | undefined;
}

/** What travels on the bus around a payload. Times are ISO 8601 UTC with milliseconds. */
export interface EventEnvelope<Payload = unknown> {
  readonly eventId: string;
  readonly type: string;
  readonly topic: Topic;
  readonly tenantId: TenantId;
  readonly aggregateId: string;
  /** Dense per aggregate, from the locked row: 1, 2, 3 … */
  readonly aggregateSeq: number;
  /** The tenant's time at which it happened; a consumer's `now`. */
  readonly effectiveAt: string;
  readonly headers: EventHeaders;
  readonly payload: Payload;
}

export interface EventHeaders {
  readonly requestId?: string;
  readonly traceparent?: string;
  /** Who caused it; absent for the system itself. */
  readonly actor?: { readonly kind: string; readonly id: string; readonly name?: string };
  readonly [key: string]: unknown;
}

export type PayloadOf<D> = D extends EventDefinition<infer S> ? Static<S> : never;
export type EventOf<D> = EventEnvelope<PayloadOf<D>>;

const definitions = new Map<string, EventDefinition>();

export function defineEvent<S extends TSchema>(definition: Omit<EventDefinition<S>, 'check'>): EventDefinition<S> {
  if (definitions.has(definition.type)) throw new Error(`event ${definition.type} is defined twice`);
  let compiled: ReturnType<typeof TypeCompiler.Compile<S>> | undefined;
  const full: EventDefinition<S> = {
    ...definition,
    check(payload) {
      compiled ??= TypeCompiler.Compile(definition.schema);
      if (compiled.Check(payload)) return undefined;
      const error = compiled.Errors(payload).First();
      return error ? `${error.path || '/'}: ${error.message}` : 'does not match its schema';
    },
  };
  definitions.set(full.type, full as unknown as EventDefinition);
  return full;
}

/** All events, in order of their type. */
export const allEvents = (): EventDefinition[] => [...definitions.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
export const eventOfType = (type: string): EventDefinition | undefined => definitions.get(type);
