import { DomainError, type Tx, yearOf } from '@kontor/kernel';
import { seriesOf, splitFormat } from '../domain/finalization/number-format.js';
import type { Draft } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

const UNIQUE_VIOLATION = '23505';

/** Whether the database refuses a document because another one has its number. */
export function isNumberTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'invoice_number';
}

/** 422: an imported document, or one of an earlier format, has the number that comes next. */
export const numberTaken = (): DomainError =>
  new DomainError('number_taken', {
    detail:
      'The next number is that of another document, which was imported or has its number from an earlier format. ' +
      'Give `numberFormats` of the billing settings another format.',
  });

/** Puts an obstacle on drafts that could be finalized where one of the numbers that come next is that of another document. */
export async function blockTakenNumbers(tx: Tx, drafts: readonly Draft[], context: InvoiceContext): Promise<void> {
  const free = drafts.filter(({ invoice, obstacle }) => obstacle === null && invoice.number === null);
  if (free.length === 0) return;
  const { numberFormats } = context.settings;
  const year = yearOf(context.today);
  const series = [...Map.groupBy(free, ({ invoice }) => numberFormats[invoice.type])].map(([format, { length }]) => ({
    ...seriesOf(format, year),
    ...splitFormat(format, year),
    length,
  }));
  const [found] = await tx.query<{ isTaken: boolean }>(
    `SELECT EXISTS (
       SELECT FROM unnest($2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::int[]) AS k (series, year, count, before, after, width)
       LEFT JOIN number_series s ON s.tenant_id = $1 AND s.series = k.series AND s.year = k.year
       CROSS JOIN LATERAL generate_series(coalesce(s.next, 1), coalesce(s.next, 1) + k.count - 1) AS n
       -- Looked up one by one: without statistics a join reads all documents of the tenant, for each batch of a run.
       CROSS JOIN LATERAL (
         SELECT FROM invoice i WHERE i.tenant_id = $1
           AND i.number = k.before || lpad(n::text, greatest(k.width, length(n::text)), '0') || k.after LIMIT 1
       ) AS taken
     ) AS "isTaken"`,
    [
      tx.tenantId,
      series.map((wanted) => wanted.series),
      series.map((wanted) => wanted.year),
      series.map((wanted) => wanted.length),
      series.map((wanted) => wanted.before),
      series.map((wanted) => wanted.after),
      series.map((wanted) => wanted.width),
    ],
  );
  if (!found?.isTaken) return;
  for (const draft of free) draft.obstacle = { step: 'number', reason: 'number_taken', error: numberTaken() };
}
