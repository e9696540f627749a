import { type Day, dayOf, DomainError, startOfDay } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { reportMoney } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { spreadRevenue } from '../domain/analytics/spread-revenue.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import type { RevenueJson } from './analytics.schema.js';

/** What revenue is divided by, beside the currency. */
const GROUPS = {
  country: `i.invoice_address ->> 'countryCode'`,
  product: `p.product ->> 'name'`,
} as const;
export type RevenueGroup = keyof typeof GROUPS;

export interface RevenueQuestion {
  /** First days of the months that are asked for, and of the one after the last. */
  readonly starts: readonly Day[];
  readonly groupBy: RevenueGroup | null;
  readonly currencyCode: string | null;
}

interface Row {
  currencyCode: string;
  group: string | null;
  serviceFrom: Date | null;
  serviceLast: Date | null;
  month: number;
  /** A sum, which may be beyond any column. */
  netMinor: string;
  /** Not what was billed, but what of lines whose service goes on at the start of the month was rendered before it. */
  isPart: boolean;
}

/** Periods that differ; a tenant whose documents have more is asked for fewer months. */
const MAX_ROWS = 200_000;

/** Revenue of finalized invoices, credits and cancellations by month. */
@Injectable()
export class ReadRevenue {
  constructor(
    private readonly database: Database,
    private readonly contexts: InvoiceContexts,
  ) {}

  /** @throws DomainError `too_many_periods`, `amount_out_of_range` */
  execute(tenantId: string, question: RevenueQuestion): Promise<RevenueJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const { tenant } = await this.contexts.load(tx, []);
      const rows = await load(tx, question, tenant.timeZone);
      const day = (at: Date | null): Day | null => (at === null ? null : dayOf(at, tenant.timeZone));
      const groups = Map.groupBy(rows, ({ currencyCode, group }) => JSON.stringify([currencyCode, group]));
      const data = [...groups].flatMap(([key, some]) => {
        const [currencyCode, group] = JSON.parse(key) as [string, string | null];
        const lines = some
          .filter(({ isPart }) => !isPart)
          .map((row) => ({
            netMinor: BigInt(row.netMinor),
            serviceFrom: day(row.serviceFrom),
            serviceLast: day(row.serviceLast),
            month: row.month,
          }));
        const parts = question.starts.map(() => 0n);
        for (const { isPart, month, netMinor } of some) if (isPart) parts[month] = BigInt(netMinor);
        const money = (minor: bigint) => reportMoney(minor, currencyCode);
        return spreadRevenue(lines, question.starts, parts).map((revenue, n) => ({
          month: question.starts[n]!.slice(0, 7),
          currencyCode,
          group,
          invoiced: money(revenue.invoicedMinor),
          recognized: money(revenue.recognizedMinor),
          deferred: money(revenue.deferredMinor),
        }));
      });
      return { data: data.filter(hasAny).sort(inOrder) };
    });
  }
}

type Entry = RevenueJson['data'][number];
const hasAny = ({ invoiced, recognized, deferred }: Entry): boolean =>
  invoiced.amount !== 0 || recognized.amount !== 0 || deferred.amount !== 0;
const inOrder = (a: Entry, b: Entry): number =>
  a.month.localeCompare(b.month) ||
  a.currencyCode.localeCompare(b.currencyCode) ||
  (a.group ?? '').localeCompare(b.group ?? '');

/** From its net amount and its share of days, half away from zero, by whole numbers alone. */
const RENDERED = `sign(l.net) * div(2 * abs(l.net) * (b.day - l.first) + l.days, 2 * l.days)`;

/**
 * Lines that are invoiced or rendered in these months, or between both, those of one period and month together; and what of each was
 * rendered before months in its midst, rounded position by position as the export has it.
 */
async function load(tx: TenantTx, { starts, groupBy, currencyCode }: RevenueQuestion, zone: string): Promise<Row[]> {
  const bounds = starts.map((start) => startOfDay(start, zone));
  const group = groupBy === null ? 'NULL' : GROUPS[groupBy];
  const found = `
     FROM invoice i
     JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id`;
  const asked = `
     WHERE i.tenant_id = $1 AND i.type IN ('TYPE_INVOICE', 'TYPE_CREDIT', 'TYPE_CANCEL') AND i.finalized_at IS NOT NULL
       AND least(i.finalized_at, p.service_from, p.service_last) < $4
       AND greatest(i.finalized_at, p.service_last, p.service_from) >= $3
       AND ($5::text IS NULL OR i.currency_code = $5)`;
  const rows = await tx.query<Row>(
    `(SELECT i.currency_code AS "currencyCode", ${group} AS "group",
       coalesce(p.service_from, p.service_last) AS "serviceFrom", coalesce(p.service_last, p.service_from) AS "serviceLast",
       width_bucket(i.finalized_at, $2::timestamptz[]) - 1 AS month, sum(p.net_minor - p.discount_minor) AS "netMinor",
       false AS "isPart"${found}${asked}
     GROUP BY 1, 2, 3, 4, 5
     LIMIT ${MAX_ROWS + 1})
     UNION ALL
     SELECT i.currency_code, ${group}, NULL, NULL, b.n::int - 1, sum(${RENDERED}), true${found}
     CROSS JOIN LATERAL (
       SELECT first, days, (p.net_minor - p.discount_minor)::numeric AS net FROM (
         SELECT (coalesce(p.service_from, p.service_last) AT TIME ZONE $7)::date AS first,
           (coalesce(p.service_last, p.service_from) AT TIME ZONE $7)::date
             - (coalesce(p.service_from, p.service_last) AT TIME ZONE $7)::date + 1 AS days) d) l
     JOIN unnest($6::date[]) WITH ORDINALITY AS b (day, n) ON b.day > l.first AND b.day < l.first + l.days${asked}
     GROUP BY 1, 2, 5`,
    [tx.tenantId, bounds, bounds[0], bounds.at(-1), currencyCode, starts, zone],
  );
  if (rows.filter(({ isPart }) => !isPart).length > MAX_ROWS)
    throw new DomainError('too_many_periods', { detail: 'There are too many service periods; ask for fewer months.' });
  return rows;
}
