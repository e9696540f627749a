import { type Day, dayOf, defuseText, startOfDay } from '@kontor/kernel';
import { formatMajor, money } from '@kontor/money';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { type RevenueMonth, spreadRevenue } from '../domain/analytics/spread-revenue.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import type { RevenueQuestion } from './read-revenue.js';

type Span = Omit<RevenueQuestion, 'groupBy'> & { readonly zone: string };

/** A finalized document that was issued or rendered in these months, or between both. */
interface Found {
  readonly id: string;
  readonly finalizedAt: Date;
  readonly createdAt: Date;
}

interface Line {
  readonly number: string;
  readonly type: string;
  readonly finalizedAt: Date;
  readonly customerNumber: string | null;
  readonly customer: string | null;
  readonly country: string | null;
  readonly currencyCode: string;
  readonly position: number;
  readonly name: string;
  readonly product: string | null;
  readonly netMinor: bigint;
  readonly serviceFrom: Date | null;
  readonly serviceLast: Date | null;
  readonly month: number;
}

/** Documents that are in memory at a time. */
const PAGE = 100;

const COLUMNS = [
  'month',
  'number',
  'type',
  'finalizedOn',
  'customerNumber',
  'customer',
  'countryCode',
  'position',
  'name',
  'product',
  'serviceFrom',
  'serviceTo',
  'currencyCode',
  'netAmount',
  'invoiced',
  'recognized',
  'deferred',
];

/** Revenue by month and position, for the books: sums of its columns are those of the report. */
@Injectable()
export class ExportRevenue {
  constructor(
    private readonly database: Database,
    private readonly contexts: InvoiceContexts,
  ) {}

  /** Lines of the file, page by page. */
  async *execute(tenantId: string, question: Omit<RevenueQuestion, 'groupBy'>): AsyncGenerator<string> {
    yield `${COLUMNS.join(',')}\r\n`;
    const zone = await this.database.tenant(tenantId, async (tx) => (await this.contexts.load(tx, [])).tenant.timeZone);
    const span = { ...question, zone };
    let after: Found | undefined;
    for (;;) {
      const { found, lines } = await this.database.tenant(tenantId, (tx) => loadPage(tx, span, after), {
        readOnly: true,
      });
      const rows = lines.flatMap((line) => rowsOf(line, span));
      if (rows.length > 0) yield stringify(rows, { record_delimiter: 'windows', quote_record_delimiter: true });
      if (found.length < PAGE) return;
      after = found.at(-1);
    }
  }
}

async function loadPage(
  tx: TenantTx,
  { starts, currencyCode, zone }: Span,
  after: Found | undefined,
): Promise<{ found: Found[]; lines: Line[] }> {
  const bounds = starts.map((start) => startOfDay(start, zone));
  const found = await tx.query<Found>(
    `SELECT i.id, i.finalized_at AS "finalizedAt", i.created_at AS "createdAt"
     FROM invoice i
     WHERE i.tenant_id = $1 AND i.type IN ('TYPE_INVOICE', 'TYPE_CREDIT', 'TYPE_CANCEL') AND i.finalized_at IS NOT NULL
       AND least(i.finalized_at, i.service_from, i.service_last) < $3
       AND greatest(i.finalized_at, i.service_last, i.service_from) >= $2
       AND ($4::text IS NULL OR i.currency_code = $4)
       AND ($5::timestamptz IS NULL OR (i.finalized_at, i.created_at, i.id) > ($5, $6::timestamptz, $7::uuid))
     -- As the index has them, backwards.
     ORDER BY i.finalized_at NULLS FIRST, i.created_at, i.id
     LIMIT ${PAGE}`,
    [
      tx.tenantId,
      bounds[0],
      bounds.at(-1),
      currencyCode,
      after?.finalizedAt ?? null,
      after?.createdAt ?? null,
      after?.id ?? null,
    ],
  );
  const lines = await tx.query<Line>(
    `SELECT i.number, i.type, i.finalized_at AS "finalizedAt", s.snapshot -> 'recipient' ->> 'customerNumber' AS "customerNumber",
       coalesce(i.invoice_address ->> 'companyName',
         concat_ws(' ', i.invoice_address ->> 'firstName', i.invoice_address ->> 'lastName')) AS customer,
       i.invoice_address ->> 'countryCode' AS country, i.currency_code AS "currencyCode", p.ordinal AS position, p.name,
       p.product ->> 'name' AS product, p.net_minor - p.discount_minor AS "netMinor",
       coalesce(p.service_from, p.service_last) AS "serviceFrom", coalesce(p.service_last, p.service_from) AS "serviceLast",
       width_bucket(i.finalized_at, $3::timestamptz[]) - 1 AS month
     FROM invoice i
     JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = i.id
     LEFT JOIN document_snapshot s ON s.tenant_id = $1 AND s.invoice_id = i.id
     WHERE i.tenant_id = $1 AND i.id = ANY($2::uuid[])
     ORDER BY i.finalized_at, i.created_at, i.id, p.ordinal, p.id`,
    [tx.tenantId, found.map(({ id }) => id), bounds],
  );
  return { found, lines };
}

/** A row for each month in which there is something to say of a position. */
function rowsOf(line: Line, { starts, zone }: Span): string[][] {
  const day = (at: Date | null): Day | null => (at === null ? null : dayOf(at, zone));
  const [serviceFrom, serviceLast] = [day(line.serviceFrom), day(line.serviceLast)];
  const { netMinor, month } = line;
  const months = spreadRevenue([{ netMinor, month, serviceFrom, serviceLast }], starts);
  const amount = (minor: bigint): string => formatMajor(money(minor, line.currencyCode));
  return months.flatMap((revenue, n) =>
    hasAny(revenue)
      ? [
          [
            starts[n]!.slice(0, 7),
            line.number,
            line.type,
            dayOf(line.finalizedAt, zone),
            defuseText(line.customerNumber ?? ''),
            defuseText(line.customer ?? ''),
            line.country ?? '',
            `${line.position}`,
            defuseText(line.name),
            defuseText(line.product ?? ''),
            serviceFrom ?? '',
            serviceLast ?? '',
            line.currencyCode,
            amount(netMinor),
            amount(revenue.invoicedMinor),
            amount(revenue.recognizedMinor),
            amount(revenue.deferredMinor),
          ],
        ]
      : [],
  );
}

const hasAny = ({ invoicedMinor, recognizedMinor, deferredMinor }: RevenueMonth): boolean =>
  invoicedMinor !== 0n || recognizedMinor !== 0n || deferredMinor !== 0n;
