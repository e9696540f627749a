import { addInterval, type Day, daysBetween, isSupportedDay } from '@kontor/kernel';
import { isCurrency } from '@kontor/money';
import { badParameter } from './bad-parameter.js';
import type { JsonSchema } from './operation.js';

const MAX_MONTHS = 36;
const MONTH = { type: 'string', pattern: '^(19|20|21)\\d{2}-(0[1-9]|1[0-2])$' };

/** The months of a report. */
export const monthsQuery = {
  from: { ...MONTH, description: 'First month, `YYYY-MM`. Required.' },
  to: { ...MONTH, description: `Last month, included; at most ${MAX_MONTHS} with the first. Required.` },
} satisfies Record<string, JsonSchema>;
export const requiredMonthsQuery = ['from', 'to'];

export const currencyQuery = { type: 'string', format: 'iso-4217', description: 'Only this currency.' };

export type ReportQuery = Readonly<Record<string, string | undefined>>;

/**
 * The parameters of a report, all of them known, with the values that its operation names.
 * @throws DomainError 400 `invalid_request`
 */
export function readReportQuery(
  query: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, JsonSchema>>,
): ReportQuery {
  for (const [name, value] of Object.entries(query)) {
    const schema = known[name]!;
    const values = schema.enum as readonly unknown[] | undefined;
    if (values && !values.includes(value)) throw badParameter(name, `must be ${values.join(' or ')}`);
    if (schema.format === 'iso-4217' && !isCurrency(value)) throw badParameter(name, 'must be an ISO 4217 code');
  }
  return query as ReportQuery;
}

/**
 * First days of the months that are asked for, and of the one after the last.
 * @throws DomainError 400 `invalid_request`
 */
export function monthStarts({ from, to }: ReportQuery): Day[] {
  const first = monthOf('from', from);
  const last = monthOf('to', to);
  if (last < first) throw badParameter('to', 'must not lie before from');
  if (daysBetween(first, last) > 31 * MAX_MONTHS) throw badParameter('to', `must lie within ${MAX_MONTHS} months`);
  const starts: Day[] = [first];
  while (starts.at(-1)! <= last) starts.push(addInterval(first, { count: 1, unit: 'M' }, starts.length));
  if (starts.length - 1 > MAX_MONTHS) throw badParameter('to', `must lie within ${MAX_MONTHS} months`);
  return starts;
}

function monthOf(parameter: string, text: string | undefined): Day {
  const day = `${text}-01`;
  if (text === undefined || !/^\d{4}-\d{2}$/.test(text) || !isSupportedDay(day))
    throw badParameter(parameter, 'must be a month, YYYY-MM');
  return day;
}
