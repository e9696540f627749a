import { badParameter, type QueryOf } from '@kontor/service-kit';

const MAX_EVENTS = 10_000;

/** The parameters, as the OpenAPI document shows them. */
export const discoverQuery = {
  eventName: { type: 'string', description: 'Only events of this name.' },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_EVENTS,
    default: 1000,
    description: 'How many of the latest events are analysed.',
  },
};

export interface DiscoveryQuery {
  /** Null: all names. */
  readonly eventName: string | null;
  readonly limit: number;
}

/** @throws DomainError 400 `invalid_request` */
export function readDiscoverQuery({ eventName, limit = '1000' }: QueryOf<typeof discoverQuery>): DiscoveryQuery {
  const events = /^\d{1,5}$/.test(limit) ? Number(limit) : 0;
  if (events < 1 || events > MAX_EVENTS) throw badParameter('limit', `must be a whole number from 1 to ${MAX_EVENTS}`);
  return { eventName: eventName ?? null, limit: events };
}
