import type { Tx } from '@kontor/kernel';
import type { DocumentType } from '../domain/document-snapshot.js';
import { formatNumber, seriesOf } from '../domain/number-format.js';

/**
 * Numbers for documents, in their order, gapless per series and year: `next += n` in the finalizing transaction, which
 * holds the series' row until it ends. Take them last: nobody else of the tenant finalizes meanwhile.
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
      `insert into number_series as s (tenant_id, series, year, next) values ($1, $2, $3, $4 + 1)
       on conflict (tenant_id, series, year) do update set next = s.next + $4 returning next - $4 as first`,
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
