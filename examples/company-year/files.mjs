import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts all papers of a year into a folder: each document as PDF, each e-invoice as CII and as UBL, the bookkeeper's batches. `get(path)`
 * answers bytes, `call` JSON. Returns the documents.
 */
export async function collect(call, get, folder, year = 2026) {
  mkdirSync(folder, { recursive: true });
  const documents = await all(call, '/invoices?order%5Bnumber%5D=asc');
  const write = async (name, path) => writeFileSync(join(folder, name), await get(path));
  for (const { id, number, xmlFile } of documents) {
    await write(`${number}.pdf`, `/invoices/${id}/pdf`);
    if (!xmlFile) continue;
    await write(`${number}.xml`, `/invoices/${id}/xml`);
    await write(`${number}-ubl.xml`, `/invoices/${id}/xml?syntax=ubl`);
  }
  for (const currency of new Set(documents.map(({ currencyCode }) => currencyCode)))
    await write(`datev-${currency}.csv`, `/ledger/datev?from=${year}-01-01&to=${year}-12-31&currencyCode=${currency}`);
  await write('export.zip', `/documents/export?from=${year}-01-01&to=${year}-12-31`);
  return documents;
}

async function all(call, path) {
  const found = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await call('GET', `${path}&limit=100&page=${page}`);
    found.push(...data);
    if (page >= meta.pagination.lastPage) return found;
  }
}
