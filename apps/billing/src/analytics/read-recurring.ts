import { dayOf } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type MonthlyFigures, monthlyFigures, type SummedMovements } from '../domain/analytics/monthly-figures.js';
import { tenantZone } from '../settings/tenant.js';
import {
  byCurrencyAndGroup,
  GROUPS,
  inOrder,
  MAX_ROWS,
  refuseTooMany,
  type ReportQuestion,
} from './report-question.js';

interface Row extends Omit<SummedMovements, 'annualMinor'> {
  /** A sum, which may be beyond any column. */
  readonly annualMinor: string;
  readonly currencyCode: string;
  readonly group: string | null;
}

export interface RecurringFigures extends MonthlyFigures {
  readonly month: string;
  readonly currencyCode: string;
  readonly group: string | null;
}

/** Recurring revenue by month, from the movements of subscriptions up to today. */
@Injectable()
export class ReadRecurring {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError `too_many_groups` */
  execute(tenantId: string, question: ReportQuestion): Promise<RecurringFigures[]> {
    const { starts } = question;
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const today = dayOf(tx.now, await tenantZone(tx, this.replicas));
        const past = starts.filter((start) => start <= today).length;
        const months = Math.min(past, starts.length - 1);
        if (months === 0) return [];
        const rows = await load(tx, question, today);
        return byCurrencyAndGroup(rows)
          .flatMap(([{ currencyCode, group }, some]) =>
            monthlyFigures(some.map(exactly), months).map((figures, n) => ({
              month: starts[n]!.slice(0, 7),
              currencyCode,
              group,
              ...figures,
            })),
          )
          .filter(hasAny)
          .sort(inOrder);
      },
      { readOnly: true },
    );
  }
}

const exactly = (row: Row): SummedMovements => ({ ...row, annualMinor: BigInt(row.annualMinor) });

const hasAny = ({ arr, mrrAtStart, moved }: RecurringFigures): boolean =>
  arr !== 0n || mrrAtStart !== 0n || Object.values(moved).some((amount) => amount !== 0n);

/** All movements up to a day, those before the first month together. */
async function load(tx: TenantTx, { starts, groupBy, currencyCode }: ReportQuestion, today: string): Promise<Row[]> {
  const group = groupBy === null ? 'NULL' : GROUPS[groupBy];
  const rows = await tx.query<Row>(
    `SELECT m.currency_code AS "currencyCode", ${group} AS "group", m.kind,
       width_bucket(m.day, $2::text[]) - 1 AS month,
       sum(m.annual_minor) AS "annualMinor", sum(m.subscriptions)::int AS subscriptions, count(*)::int AS count
     FROM recurring_movement m
     ${groupBy === 'plan' ? 'LEFT JOIN plan p ON p.tenant_id = $1 AND p.id = m.plan_id' : ''}
     ${groupBy === 'country' ? OF_CUSTOMER : ''}
     WHERE m.tenant_id = $1 AND m.day < $3 AND m.day <= $4 AND ($5::text IS NULL OR m.currency_code = $5)
     GROUP BY 1, 2, 3, 4
     ORDER BY 1, 2
     LIMIT ${MAX_ROWS + 1}`,
    [tx.tenantId, starts, starts.at(-1), today, currencyCode],
  );
  refuseTooMany(rows);
  return rows;
}

const OF_CUSTOMER = `JOIN subscription s ON s.tenant_id = $1 AND s.id = m.subscription_id
     JOIN customer c ON c.tenant_id = $1 AND c.id = s.customer_id`;
