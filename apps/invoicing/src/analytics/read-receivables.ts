import { Database } from '@kontor/persistence';
import { reportMoney } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { ReceivablesJson } from './analytics.schema.js';

const DAY_MS = 86_400_000;
/** No report is longer. */
const MAX_ROWS = 1_000;

interface Row {
  currencyCode: string;
  group: string | null;
  documents: number;
  /** Sums are decimal texts: they may be beyond any column. */
  notDue: string;
  days1To30: string;
  days31To60: string;
  days61To90: string;
  over90Days: string;
  credits: string;
  total: string;
}

/** What is open of finalized documents now, by its age; the sum is that of their `unpaidAmount`. */
@Injectable()
export class ReadReceivables {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `amount_out_of_range` */
  execute(tenantId: string, groupBy: 'country' | null): Promise<ReceivablesJson> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const ago = (days: number): Date => new Date(tx.now.getTime() - days * DAY_MS);
        const group = groupBy === null ? 'NULL' : `i.invoice_address ->> 'countryCode'`;
        const rows = await tx.query<Row>(
          `SELECT i.currency_code AS "currencyCode", ${group} AS "group", count(*)::int AS documents,
             ${sumOf('i.unpaid_minor > 0 AND i.due_at >= $2')} AS "notDue",
             ${sumOf('i.unpaid_minor > 0 AND i.due_at < $2 AND i.due_at >= $3')} AS "days1To30",
             ${sumOf('i.unpaid_minor > 0 AND i.due_at < $3 AND i.due_at >= $4')} AS "days31To60",
             ${sumOf('i.unpaid_minor > 0 AND i.due_at < $4 AND i.due_at >= $5')} AS "days61To90",
             ${sumOf('i.unpaid_minor > 0 AND i.due_at < $5')} AS "over90Days",
             ${sumOf('i.unpaid_minor < 0')} AS credits, sum(i.unpaid_minor) AS total
           FROM invoice i
           WHERE i.tenant_id = $1 AND i.finalized_at IS NOT NULL AND i.unpaid_minor <> 0
           GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${MAX_ROWS}`,
          [tx.tenantId, tx.now, ago(30), ago(60), ago(90)],
        );
        return { data: rows.map(represent) };
      },
      { readOnly: true },
    );
  }
}

const sumOf = (condition: string): string => `coalesce(sum(i.unpaid_minor) FILTER (WHERE ${condition}), 0)`;

function represent({ currencyCode, group, documents, ...amounts }: Row): ReceivablesJson['data'][number] {
  const money = (minor: string) => reportMoney(minor, currencyCode);
  return {
    currencyCode,
    group,
    documents,
    notDue: money(amounts.notDue),
    days1To30: money(amounts.days1To30),
    days31To60: money(amounts.days31To60),
    days61To90: money(amounts.days61To90),
    over90Days: money(amounts.over90Days),
    credits: money(amounts.credits),
    total: money(amounts.total),
  };
}
