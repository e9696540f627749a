import { DomainError, isSupportedDay, startOfDay } from '@kontor/kernel';
import { badParameter, type QueryOf } from '@kontor/service-kit';
import {
  cutByCalendar,
  GRANULARITIES,
  type Granularity,
  monthBucket,
  type Span,
} from '../domain/metrics/calendar-buckets.js';
import { instantOf } from '../domain/event-store/instants.js';

export const MAX_BUCKETS = 2_000;

/** The parameters, as the OpenAPI document shows them. */
export const usageQueryParameters = {
  customerId: { type: 'string', description: 'Id, external id or customer number; all customers without it.' },
  from: {
    type: 'string',
    format: 'date-time',
    description: "Inclusive; a day alone is its start in the customer's time zone. Default: start of the month.",
  },
  to: { type: 'string', format: 'date-time', description: 'Exclusive. Default: now.' },
  granularity: {
    type: 'string',
    enum: [...GRANULARITIES],
    description: "Calendar of the customer's time zone; without it, one value.",
  },
  groupBy: { type: 'string', description: "Some of the metric's groupBy, separated by commas." },
  'groupBy[]': { type: 'array', items: { type: 'string' }, description: 'The same, one by one.' },
};

/** The parameters as they came; `groupBy` may be there several times. */
export type AskedUsage = Omit<QueryOf<typeof usageQueryParameters>, 'groupBy' | 'groupBy[]'> & {
  readonly groupBy?: string | readonly string[];
  readonly 'groupBy[]'?: string | readonly string[];
};

/** What is asked, as far as it can be read without knowing the customer. */
export interface UsageMetricQuery {
  readonly customer: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly granularity: Granularity | null;
  readonly groupBy: readonly string[];
}

/** @throws DomainError 400 `invalid_request` for a parameter that cannot be read. */
export function readUsageQuery(query: AskedUsage): UsageMetricQuery {
  const { 'groupBy[]': listed, ...values } = query;
  const groups = listed ?? values.groupBy;
  const granularity = GRANULARITIES.find((granularity) => granularity === values.granularity) ?? null;
  if (values.granularity !== undefined && !granularity)
    throw badParameter('granularity', `must be ${GRANULARITIES.join(', ')}`);
  for (const name of ['from', 'to'] as const) if (values[name] !== undefined) instantIn(name, values[name], 'UTC');
  return {
    customer: values.customerId ?? null,
    from: values.from ?? null,
    to: values.to ?? null,
    granularity,
    groupBy: groups === undefined ? [] : [groups].flat().flatMap((group) => group.split(',')),
  };
}

/** The `+` of a zone that was not escaped arrives as a blank. */
function instantIn(name: string, value: string, zone: string): number {
  const text = value.replace(/ (\d{2}:?\d{2})$/, '+$1');
  if (isSupportedDay(text)) return startOfDay(text, zone).getTime();
  const at = instantOf(text);
  if (!at) throw badParameter(name, 'must be a date or an ISO 8601 date-time');
  return at.getTime();
}

/**
 * The period and its parts in a zone.
 * @throws DomainError 400 `invalid_request` when it ends before it begins; 422 `too_many_buckets`.
 */
export function periodOf(query: UsageMetricQuery, zone: string, now: Date): { period: Span; parts: Span[] } {
  const from = query.from === null ? monthBucket(now.getTime(), zone).from : instantIn('from', query.from, zone);
  const to = query.to === null ? now.getTime() : instantIn('to', query.to, zone);
  if (from >= to) throw badParameter('to', 'must be later than from');
  const parts =
    query.granularity === null ? [{ from, to }] : cutByCalendar({ from, to }, query.granularity, zone, MAX_BUCKETS);
  if (!parts)
    throw new DomainError('too_many_buckets', {
      detail: [
        `The period has more than ${MAX_BUCKETS} parts by ${query.granularity}:`,
        'choose a shorter period or a coarser granularity.',
      ].join(' '),
    });
  return { period: { from, to }, parts };
}
