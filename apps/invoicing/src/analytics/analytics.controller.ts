import { Readable } from 'node:stream';
import type { Principal } from '@kontor/contracts';
import {
  Caller,
  currencyQuery,
  monthsQuery,
  monthStarts,
  Operation,
  readReportQuery,
  requiredMonthsQuery,
} from '@kontor/service-kit';
import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { receivablesSchema, revenueSchema } from './analytics.schema.js';
import { ExportRevenue } from './export-revenue.js';
import { ReadReceivables } from './read-receivables.js';
import { ReadRevenue, type RevenueGroup } from './read-revenue.js';

const tag = 'Analytics';
const REVENUE = {
  ...monthsQuery,
  groupBy: { type: 'string', enum: ['country', 'product'], description: 'Of the invoice address, or of the position.' },
  currencyCode: currencyQuery,
};
const EXPORT = { ...monthsQuery, currencyCode: currencyQuery };
const RECEIVABLES = { groupBy: { type: 'string', enum: ['country'], description: 'Of the invoice address.' } };
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });

/** Figures about finalized documents. Definitions: docs/rules/analytics.md */
@Controller('analytics')
export class AnalyticsController {
  constructor(
    private readonly revenue: ReadRevenue,
    private readonly exported: ExportRevenue,
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
    requiredQuery: requiredMonthsQuery,
    errors: { 422: '`too_many_periods`, `amount_out_of_range`: a sum is beyond what a number carries' },
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
    const { groupBy, currencyCode, ...months } = readReportQuery(query, REVENUE);
    return this.revenue.execute(tenantId, {
      starts: monthStarts(months),
      groupBy: (groupBy as RevenueGroup | undefined) ?? null,
      currencyCode: currencyCode ?? null,
    });
  }

  @Get('revenue/export')
  @Operation({
    id: 'exportRevenue',
    summary: 'Revenue by month and position as CSV, for deferred income',
    description:
      'A row for each position and month in which something of it was invoiced, recognized or is deferred at the end of the month, ' +
      'in the order in which documents were finalized. The columns `invoiced`, `recognized` and `deferred` sum to ' +
      'those of `GET /analytics/revenue`, to the cent. UTF-8, amounts in major units with a point. It is sent while it is read.',
    tag,
    permission: 'invoice:read',
    responseType: 'text/csv',
    query: EXPORT,
    requiredQuery: requiredMonthsQuery,
  })
  exportRevenue(
    @Caller() { tenantId }: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): StreamableFile {
    const { currencyCode, from, to } = readReportQuery(query, EXPORT);
    const question = { starts: monthStarts({ from, to }), currencyCode: currencyCode ?? null };
    void reply.header('cache-control', 'no-store');
    return new StreamableFile(Readable.from(this.exported.execute(tenantId, question)), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="revenue_${from}_${to}.csv"`,
    });
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
    errors: { 422: '`amount_out_of_range`: a sum is beyond what a number carries' },
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
    const { groupBy } = readReportQuery(query, RECEIVABLES);
    return this.receivables.execute(tenantId, groupBy === 'country' ? groupBy : null);
  }
}
