import type { Tx } from '@kontor/kernel';
import type { EuroRate } from '../domain/rates/exchange.js';
import { EXAMPLE_RATES } from './example-rates.js';
import { exchangeRateSourceTable, exchangeRateTable } from './exchange-rate.row.js';

/**
 * Euro rates of some currencies, newest first. A sandbox tenant gets the example set when its rates are first needed.
 */
export async function loadEuroRates(tx: Tx, currencies: readonly string[], live: boolean): Promise<EuroRate[]> {
  if (!live) await ensureExampleRates(tx);
  return exchangeRateTable.find(tx, { currencyCode: currencies }, { orderBy: { currencyCode: 'asc', date: 'desc' } });
}

/** Who writes a tenant's rates goes one after the other: those of two that replace all of them are never mixed. */
export async function lockRates(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('exchange_rate ' || $1, 0))`, [tx.tenantId]);
}

/** Gives a sandbox tenant its example rates, once: a tenant that removed them stays without. */
export async function ensureExampleRates(tx: Tx): Promise<void> {
  if (await exchangeRateSourceTable.exists(tx, {})) return;
  const created = await exchangeRateSourceTable.insertMissing(tx, { fetchedAt: null });
  if (created.length > 0) await exchangeRateTable.insertMissing(tx, EXAMPLE_RATES);
}
