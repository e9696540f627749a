import type { OutboxRecord } from '../bus/bus-port.js';

const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** At least one page, also when there is no row: the stretch without rows counts as published too. */
export function splitByBytes(rows: readonly OutboxRecord[]): OutboxRecord[][] {
  const pages: OutboxRecord[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.payload.length;
    if (bytes > MAX_PAGE_BYTES && pages.at(-1)!.length > 0) {
      pages.push([]);
      bytes = row.payload.length;
    }
    pages.at(-1)!.push(row);
  }
  return pages;
}
