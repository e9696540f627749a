import type { Tx } from '@kontor/kernel';
import type { DocumentType } from '../domain/invoices/invoice.js';
import { formatNumber, seriesOf } from '../domain/finalization/number-format.js';

/**
 * Numbers for documents, in their order, gapless per series and year: `next += n` in the finalizing transaction, which
 * holds the series' row until it ends. To be called last: no other finalization of the tenant proceeds meanwhile.
 */
export async function takeNumbers(
  tx: Tx,
  types: readonly DocumentType[],
  by: { formats: Readonly<Record<DocumentType, string>>; year: number },
): Promise<string[]> {
  const keyOf = (type: DocumentType): string => JSON.stringify(seriesOf(by.formats[type], by.year));
  const counts = new Map<string, number>();
  for (const type of types) counts.set(keyOf(type), (counts.get(keyOf(type)) ?? 0) + 1);
  const next = new Map<string, bigint>();
  // In order of their keys, so that two transactions with several series never wait for each other.
  for (const key of [...counts.keys()].sort()) {
    const { series, year } = JSON.parse(key) as { series: string; year: number };
    const [row] = await tx.query<{ first: bigint }>(
      `INSERT INTO number_series AS s (tenant_id, series, year, next) VALUES ($1, $2, $3, $4 + 1)
       ON CONFLICT (tenant_id, series, year) DO UPDATE SET next = s.next + $4
       RETURNING next - $4 AS first`,
      [tx.tenantId, series, year, counts.get(key)],
    );
    next.set(key, BigInt(row?.first ?? 1n));
  }
  return types.map((type) => {
    const key = keyOf(type);
    const sequence = next.get(key) as bigint;
    next.set(key, sequence + 1n);
    return formatNumber(by.formats[type], by.year, sequence);
  });
}
