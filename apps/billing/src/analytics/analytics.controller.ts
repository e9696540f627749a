import type { Principal } from '@kontor/contracts';
import { divideRounded, formatDecimal } from '@kontor/money';
import {
  Caller,
  currencyQuery,
  monthsQuery,
  monthStarts,
  Operation,
  readReportQuery,
  reportMoney,
  requiredMonthsQuery,
} from '@kontor/service-kit';
import { Controller, Get, Query } from '@nestjs/common';
import {
  type ArrJson,
  arrSchema,
  type ChurnJson,
  churnSchema,
  type MrrJson,
  mrrSchema,
  usageReportSchema,
} from './analytics.schema.js';
import { ReadRecurring, type RecurringFigures } from './read-recurring.js';
import { ReadUsageReport } from './read-usage-report.js';
import type { ReportGroup, ReportQuestion } from './report-question.js';

const QUERY = {
  ...monthsQuery,
  groupBy: { type: 'string', enum: ['plan', 'country'], description: 'Of the subscription, or of its customer.' },
  currencyCode: currencyQuery,
};
const report = {
  tag: 'Analytics',
  permission: 'subscription:read',
  query: QUERY,
  requiredQuery: requiredMonthsQuery,
  errors: { 422: '`too_many_groups`, `amount_out_of_range`: a sum is beyond what a number carries' },
} as const;
const COUNTED =
  'What subscriptions bring net, less discounts that last: no usage, nothing charged once, nothing while they are paused, in their trial or over. ' +
  'Counted up to today; what is planned for later days appears with its day. Figures of days that passed do not change any more. ' +
  'By currency, never converted. ';
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const EXAMPLE = { month: '2026-01', currencyCode: 'EUR', group: null };

/** Figures about subscriptions. Definitions: docs/rules/analytics.md */
@Controller('analytics')
export class AnalyticsController {
  constructor(
    private readonly recurring: ReadRecurring,
    private readonly usage: ReadUsageReport,
  ) {}

  @Get('mrr')
  @Operation({
    id: 'getMrr',
    summary: 'Monthly recurring revenue, and what moved it',
    description:
      `${COUNTED}\`mrr\` is the level at the end of the month, a twelfth of a year's amounts. It is that of the month before plus \`new\` ` +
      "(a subscription's first amount), " +
      '`expansion`, `contraction`, `churn` (nothing any more), `reactivation` (something again) and `transfer` (between groups, by a change ' +
      'of plan; 0 over all), to the cent. `contraction` and `churn` are negative. More than 50,000 sums are 422 `too_many_groups`.',
    response: mrrSchema,
    examples: {
      response: {
        data: [
          {
            ...EXAMPLE,
            mrr: eur(104000),
            new: eur(9900),
            expansion: eur(2500),
            contraction: eur(-900),
            churn: eur(-4900),
            reactivation: eur(0),
            transfer: eur(0),
            subscriptions: 42,
          },
        ],
      },
    },
    ...report,
  })
  async getMrr(@Caller() { tenantId }: Principal, @Query() query: Record<string, unknown>): Promise<MrrJson> {
    const figures = await this.recurring.execute(tenantId, questionOf(query));
    return { data: figures.map(mrrOf) };
  }

  @Get('arr')
  @Operation({
    id: 'getArr',
    summary: 'Annual recurring revenue',
    description: `${COUNTED}A year's amounts at the end of each month.`,
    response: arrSchema,
    examples: { response: { data: [{ ...EXAMPLE, arr: eur(1248000), subscriptions: 42 }] } },
    ...report,
  })
  async getArr(@Caller() { tenantId }: Principal, @Query() query: Record<string, unknown>): Promise<ArrJson> {
    const figures = await this.recurring.execute(tenantId, questionOf(query));
    return {
      data: figures.map(({ month, currencyCode, group, arr, subscriptions }) => ({
        month,
        currencyCode,
        group,
        arr: reportMoney(arr, currencyCode),
        subscriptions,
      })),
    };
  }

  @Get('churn')
  @Operation({
    id: 'getChurn',
    summary: 'Subscriptions and recurring revenue that were lost',
    description:
      'Of each month, of what there was at its start: subscriptions that ended or paused, and revenue lost by them and by contraction. Rates are ' +
      'per cent with two decimals, null where there was nothing. `netChurnRate` takes expansion and reactivation off what was lost, and may be negative. ' +
      'A change of the plan counts in no group as lost.',
    response: churnSchema,
    examples: {
      response: {
        data: [
          {
            ...EXAMPLE,
            subscriptionsAtStart: 40,
            subscriptionsLost: 1,
            subscriptionChurnRate: '2.50',
            mrrAtStart: eur(97400),
            mrrLost: eur(5800),
            grossChurnRate: '5.95',
            netChurnRate: '3.39',
          },
        ],
      },
    },
    ...report,
  })
  async getChurn(@Caller() { tenantId }: Principal, @Query() query: Record<string, unknown>): Promise<ChurnJson> {
    const figures = await this.recurring.execute(tenantId, questionOf(query));
    return { data: figures.map(churnOf) };
  }

  @Get('usage')
  @Operation({
    id: 'getUsageReport',
    summary: 'Charged usage by metric',
    description:
      'Quantities and net amounts less discounts of charged periods of usage, by the month of their last day, as they are after corrections. ' +
      '`groupBy` uses the plan and the country as they are now. Amounts of a month are those on the invoices of these periods.',
    response: usageReportSchema,
    examples: {
      response: {
        data: [
          {
            ...EXAMPLE,
            metric: { id: '0190c000-0000-7000-8000-000000000041', name: 'API calls', unit: 'calls' },
            quantity: '125000',
            amount: eur(4200),
          },
        ],
      },
    },
    ...report,
  })
  getUsage(@Caller() { tenantId }: Principal, @Query() query: Record<string, unknown>) {
    return this.usage.execute(tenantId, questionOf(query));
  }
}

/** @throws DomainError 400 `invalid_request` */
function questionOf(query: Readonly<Record<string, unknown>>): ReportQuestion {
  const { groupBy, currencyCode, ...months } = readReportQuery(query, QUERY);
  return {
    starts: monthStarts(months),
    groupBy: (groupBy as ReportGroup | undefined) ?? null,
    currencyCode: currencyCode ?? null,
  };
}

function mrrOf({ month, currencyCode, group, mrr, moved, subscriptions }: RecurringFigures): MrrJson['data'][number] {
  const money = (minor: bigint) => reportMoney(minor, currencyCode);
  return {
    month,
    currencyCode,
    group,
    mrr: money(mrr),
    new: money(moved.new),
    expansion: money(moved.expansion),
    contraction: money(moved.contraction),
    churn: money(moved.churn),
    reactivation: money(moved.reactivation),
    transfer: money(moved.transfer_in + moved.transfer_out),
    subscriptions,
  };
}

function churnOf(figures: RecurringFigures): ChurnJson['data'][number] {
  const { month, currencyCode, group, moved, mrrAtStart, subscriptionsAtStart, lost } = figures;
  const mrrLost = -(moved.churn + moved.contraction);
  const won = moved.expansion + moved.reactivation;
  return {
    month,
    currencyCode,
    group,
    subscriptionsAtStart,
    subscriptionsLost: lost,
    subscriptionChurnRate: percentageOf(BigInt(lost), BigInt(subscriptionsAtStart)),
    mrrAtStart: reportMoney(mrrAtStart, currencyCode),
    mrrLost: reportMoney(mrrLost, currencyCode),
    grossChurnRate: percentageOf(mrrLost, mrrAtStart),
    netChurnRate: percentageOf(mrrLost - won, mrrAtStart),
  };
}

const percentageOf = (part: bigint, whole: bigint): string | null =>
  whole === 0n ? null : formatDecimal({ coefficient: divideRounded(part * 10_000n, whole, 'half_up'), scale: 2 });
