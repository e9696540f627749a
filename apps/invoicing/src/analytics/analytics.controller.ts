import type { Principal } from '@kontor/contracts';
import { addInterval, type Day, isSupportedDay, daysBetween } from '@kontor/kernel';
import { isCurrency } from '@kontor/money';
import { Caller, invalidRequest, Operation } from '@kontor/service-kit';
import { Controller, Get, Query } from '@nestjs/common';
import { receivablesSchema, revenueSchema } from './analytics.schema.js';
import { ReadReceivables } from './read-receivables.js';
import { ReadRevenue, type RevenueQuestion } from './read-revenue.js';

const tag = 'Analytics';
const MAX_MONTHS = 36;
const MONTH = { type: 'string', pattern: '^(19|20|21)\\d{2}-(0[1-9]|1[0-2])$' };
const REVENUE = {
  from: { ...MONTH, description: 'First month, `YYYY-MM`. Required.' },
  to: { ...MONTH, description: `Last month, included; at most ${MAX_MONTHS} with the first. Required.` },
  groupBy: { type: 'string', enum: ['country', 'product'], description: 'Of the invoice address, or of the position.' },
  currencyCode: { type: 'string', format: 'iso-4217', description: 'Only this currency.' },
};
const RECEIVABLES = { groupBy: { type: 'string', enum: ['country'], description: 'Of the invoice address.' } };
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });

/** Figures about finalized documents. Definitions: docs/rules/analytics.md */
@Controller('analytics')
export class AnalyticsController {
  constructor(
    private readonly revenue: ReadRevenue,
    private readonly receivables: ReadReceivables,
  ) {}

  @Get('revenue')
  @Operation({
    id: 'getRevenue',
    summary: 'Revenue by month of service, and what is deferred',
    description:
      'Net amounts of finalized invoices, credits and cancellations, by month and currency. `invoiced`: finalized in the month. `recognized`: of ' +
      'services in the month, each position spread over its days; without a service period in the month of finalization. `deferred`: at the end ' +
      'of the month, what is invoiced for later services; below zero where services were rendered and not invoiced yet. All months of a position ' +
      'sum to its amount. Months are those of the tenant. More than 200,000 service periods are 422 `too_many_periods`.',
    tag,
    permission: 'invoice:read',
    response: revenueSchema,
    query: REVENUE,
    requiredQuery: ['from', 'to'],
    errors: { 422: '`too_many_periods`' },
    examples: {
      response: {
        data: [
          {
            month: '2026-01',
            currencyCode: 'EUR',
            group: null,
            invoiced: eur(9000),
            recognized: eur(3100),
            deferred: eur(5900),
          },
        ],
      },
    },
  })
  getRevenue(@Caller() { tenantId }: Principal, @Query() query: Record<string, unknown>) {
    return this.revenue.execute(tenantId, readQuestion(query));
  }

  @Get('receivables')
  @Operation({
    id: 'getReceivables',
    summary: 'What is open now, by its age',
    description:
      'Open amounts of finalized documents by days since they were due, on the clock of the tenant. `credits` are those below zero: credit notes ' +
      'that wait for payout, and overpaid invoices. `total` is the sum of `unpaidAmount` of all documents.',
    tag,
    permission: 'invoice:read',
    response: receivablesSchema,
    query: RECEIVABLES,
    examples: {
      response: {
        data: [
          {
            currencyCode: 'EUR',
            group: null,
            documents: 3,
            notDue: eur(11900),
            days1To30: eur(0),
            days31To60: eur(4760),
            days61To90: eur(0),
            over90Days: eur(0),
            credits: eur(-1190),
            total: eur(15470),
          },
        ],
      },
    },
  })
  getReceivables(@Caller() { tenantId }: Principal, @Query() query: Record<string, unknown>) {
    const { groupBy } = readParameters(query, RECEIVABLES);
    if (groupBy !== undefined && groupBy !== 'country') throw refused('groupBy', 'must be country');
    return this.receivables.execute(tenantId, groupBy ?? null);
  }
}

/** @throws DomainError 400 `invalid_request` */
function readQuestion(query: Readonly<Record<string, unknown>>): RevenueQuestion {
  const { from, to, groupBy, currencyCode } = readParameters(query, REVENUE);
  const first = monthOf('from', from);
  const last = monthOf('to', to);
  if (last < first) throw refused('to', 'must not lie before from');
  if (daysBetween(first, last) > 31 * MAX_MONTHS) throw refused('to', `must lie within ${MAX_MONTHS} months`);
  if (groupBy !== undefined && groupBy !== 'country' && groupBy !== 'product')
    throw refused('groupBy', 'must be country or product');
  if (currencyCode !== undefined && !isCurrency(currencyCode))
    throw refused('currencyCode', 'must be an ISO 4217 code');
  const starts: Day[] = [first];
  while (starts.at(-1)! <= last) starts.push(addInterval(first, { count: 1, unit: 'M' }, starts.length));
  if (starts.length - 1 > MAX_MONTHS) throw refused('to', `must lie within ${MAX_MONTHS} months`);
  return { starts, groupBy: groupBy ?? null, currencyCode: currencyCode ?? null };
}

function monthOf(parameter: string, text: string | undefined): Day {
  const day = `${text}-01`;
  if (text === undefined || !/^\d{4}-\d{2}$/.test(text) || !isSupportedDay(day))
    throw refused(parameter, 'must be a month, YYYY-MM');
  return day;
}

function readParameters(query: Readonly<Record<string, unknown>>, known: object): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (!Object.hasOwn(known, name)) throw refused(name, 'is unknown here');
      if (typeof value !== 'string') throw refused(name, 'must be there once');
      return [name, value];
    }),
  );
}

function refused(parameter: string, what: string): Error {
  const message = `The query parameter ${parameter} ${what}.`;
  return invalidRequest(message, [{ propertyPath: parameter, message, code: 'invalid_parameter' }]);
}
