import { insertRows } from '@kontor/persistence';
import type { Tx } from '@kontor/kernel';
import { ExchangeRateRow } from '../db/exchange-rate.row.js';
import type { EuroRate } from '../domain/exchange.js';
import { EXAMPLE_RATES } from './example-rates.js';

/** Euro rates of some currencies. A sandbox tenant is given the example set when it is first asked for rates. */
export async function loadEuroRates(tx: Tx, currencies: readonly string[], live: boolean): Promise<EuroRate[]> {
  if (!live) await ensureExampleRates(tx);
  return tx.query<EuroRate>(
    'select currency_code as "currencyCode", date, rate from exchange_rate where currency_code = any($1::text[]) order by currency_code, date desc',
    [currencies],
  );
}

/** Gives a sandbox tenant its example rates, once: a tenant that removed them does not get them again. */
export async function ensureExampleRates(tx: Tx): Promise<void> {
  const [known] = await tx.query('select 1 from exchange_rate_source where tenant_id = $1', [tx.tenantId]);
  if (known) return;
  const first = await tx.query('insert into exchange_rate_source (tenant_id) values ($1) on conflict do nothing returning 1', [
    tx.tenantId,
  ]);
  if (first.length === 0) return;
  const rows = EXAMPLE_RATES.map((rate) => Object.assign(new ExchangeRateRow(), { tenantId: tx.tenantId, ...rate }));
  await insertRows(tx, ExchangeRateRow, rows, 'do nothing');
}
