import { addDays, isDay, startOfDay } from '@kontor/kernel';
import { isCurrency } from '@kontor/money';
import { badParameter } from '@kontor/service-kit';

/** First and last day of an export, and its currency. */
export interface RequestedSpan {
  readonly from: string;
  readonly to: string;
  readonly currencyCode: string | null;
}

/** The parameters, as the OpenAPI document shows them. */
export const spanQuery = {
  from: { type: 'string', format: 'date', description: 'First day, in the time zone of the tenant.' },
  to: { type: 'string', format: 'date', description: 'Last day, included.' },
  currencyCode: { type: 'string', description: 'Only this currency.' },
};
export const requiredSpanQuery = ['from', 'to'];

/** @throws DomainError 400 `invalid_request`. */
export function readSpan(query: Readonly<Record<string, unknown>>): RequestedSpan {
  const { from, to, currencyCode = '' } = query;
  if (!isDay(from)) throw badParameter('from', 'must be a day, YYYY-MM-DD');
  if (!isDay(to)) throw badParameter('to', 'must be a day, YYYY-MM-DD');
  if (to < from) throw badParameter('to', 'must not lie before from');
  if (currencyCode !== '' && !isCurrency(currencyCode)) throw badParameter('currencyCode', 'must be an ISO 4217 code');
  return { from, to, currencyCode: currencyCode === '' ? null : (currencyCode as string) };
}

/** The days as instants, the end not included. */
export const instantsOf = (span: RequestedSpan, zone: string): { from: Date; to: Date } => ({
  from: startOfDay(span.from, zone),
  to: startOfDay(addDays(span.to, 1), zone),
});
