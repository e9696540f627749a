import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type TransferRow, TRANSFERS } from './ledger.read.js';

export interface TransferSpan {
  /** Included. */
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  /** Null: every currency. */
  readonly currencyCode: string | null;
  /** Only what moved money: neither reservations nor their release. */
  readonly postedOnly: boolean;
}

const PAGE = 2_000;

/** Transfers of a span of time, oldest first, a page at a time: memory does not grow with their number. */
@Injectable()
export class PageTransfers {
  constructor(private readonly database: Database) {}

  count(tenantId: string, span: TransferSpan): Promise<number> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const [row] = await tx.query<{ n: bigint }>(`SELECT count(*) AS n FROM ledger_transfer t WHERE ${WHERE}`, [
          tx.tenantId,
          ...paramsOf(span),
        ]);
        return Number(row?.n ?? 0);
      },
      { readOnly: true },
    );
  }

  async *pages(tenantId: string, span: TransferSpan): AsyncGenerator<TransferRow[]> {
    let after: TransferRow | undefined;
    for (;;) {
      const rows: TransferRow[] = await this.database.tenant(
        tenantId,
        (tx) =>
          tx.query<TransferRow>(
            `${TRANSFERS} WHERE ${WHERE} AND ($6::timestamptz IS NULL OR (t.booked_at, t.seq) > ($6, $7::bigint))
             ORDER BY t.booked_at, t.seq LIMIT ${PAGE}`,
            [tx.tenantId, ...paramsOf(span), after?.bookedAt ?? null, after?.seq ?? null],
          ),
        { readOnly: true },
      );
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1);
    }
  }
}

const WHERE = `t.tenant_id = $1 AND t.booked_at >= $2 AND t.booked_at < $3 AND ($4::text IS NULL
  OR t.currency_code = $4)
  AND (NOT $5::boolean OR t.kind IN ('posted', 'post'))`;
const paramsOf = (span: TransferSpan): unknown[] => [span.from, span.to, span.currencyCode, span.postedOnly];
