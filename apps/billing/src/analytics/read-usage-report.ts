import { addDays } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { reportMoney } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { UsageReportJson } from './analytics.schema.js';
import { GROUPS, inOrder, MAX_ROWS, refuseTooMany, type ReportQuestion } from './report-question.js';

interface Row {
  month: number;
  currencyCode: string;
  group: string | null;
  metricId: string;
  metricName: string;
  unit: string | null;
  quantity: string;
  /** A sum, which may be beyond any column. */
  amountMinor: string;
}

/** What was charged for usage, by the month in which its period ended. */
@Injectable()
export class ReadUsageReport {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `too_many_groups`, `amount_out_of_range` */
  execute(tenantId: string, question: ReportQuestion): Promise<UsageReportJson> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const rows = await load(tx, question);
        const data = rows.map(({ currencyCode, group, metricId, metricName, unit, quantity, ...row }) => ({
          month: question.starts[row.month]!.slice(0, 7),
          currencyCode,
          group,
          metric: { id: metricId, name: metricName, unit },
          quantity,
          amount: reportMoney(row.amountMinor, currencyCode),
        }));
        return { data: data.sort(inOrder) };
      },
      { readOnly: true },
    );
  }
}

/** A period that was corrected has the quantity of its last correction, and the amounts of all its lines. */
async function load(tx: TenantTx, { starts, groupBy, currencyCode }: ReportQuestion): Promise<Row[]> {
  // A period belongs to the month of its last day.
  const bounds = starts.map((start) => addDays(start, 1));
  const group = groupBy === null ? 'NULL' : GROUPS[groupBy];
  const rows = await tx.query<Row>(
    `WITH usage_charge AS (
       SELECT h.*, h.net_minor - h.discount_minor AS amount_minor,
         row_number() OVER (PARTITION BY coalesce(h.credited_charge_id, h.id) ORDER BY h.kind = 'regular', h.revision DESC) = 1 AS last
       FROM charge h
       WHERE h.tenant_id = $1 AND h.closing_id IS NOT NULL AND h.service_to >= $3 AND h.service_to < $4
         AND ($5::text IS NULL OR h.currency_code = $5)
     )
     SELECT width_bucket(h.service_to, $2::text[]) - 1 AS month, h.currency_code AS "currencyCode", ${group} AS "group",
       h.explanation -> 'usage' ->> 'id' AS "metricId", min(h.explanation -> 'usage' ->> 'name') AS "metricName",
       min(h.explanation -> 'usage' ->> 'unit') AS unit,
       trim_scale(coalesce(sum(h.quantity::numeric) FILTER (WHERE h.last), 0))::text AS quantity,
       sum(h.amount_minor) AS "amountMinor"
     FROM usage_charge h
     ${groupBy === null ? '' : 'JOIN subscription s ON s.tenant_id = $1 AND s.id = h.subscription_id'}
     ${groupBy === 'plan' ? 'LEFT JOIN plan p ON p.tenant_id = $1 AND p.id = s.plan_id' : ''}
     ${groupBy === 'country' ? 'JOIN customer c ON c.tenant_id = $1 AND c.id = s.customer_id' : ''}
     GROUP BY 1, 2, 3, 4
     ORDER BY 1, 2, 3, 5, 4
     LIMIT ${MAX_ROWS + 1}`,
    [tx.tenantId, bounds, bounds[0], bounds.at(-1), currencyCode],
  );
  refuseTooMany(rows);
  return rows;
}
