import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { type Tx, validationFailed } from '@kontor/kernel';
import { Database, insertRows, Replicas } from '@kontor/persistence';
import { retryNow } from '../charges/retry-now.js';
import { ExchangeRateRow } from '../db/exchange-rate.row.js';
import type { EuroRate } from '../domain/exchange.js';
import type { ExchangeRatesDto } from './exchange-rates.dto.js';
import { ensureExampleRates } from './euro-rates.js';

export interface ExchangeRatesJson {
  readonly rates: readonly EuroRate[];
}

/** The tenant's euro rates, newest first. */
@Injectable()
export class ExchangeRates {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  read(tenantId: string): Promise<ExchangeRatesJson> {
    return this.database.tenant(tenantId, async (tx) => {
      await this.prepare(tx);
      return list(tx);
    });
  }

  /** Replaces all rates. Drafts that waited for one are tried again. @throws DomainError 422 `validation_failed`. */
  replace(tenantId: string, dto: ExchangeRatesDto): Promise<ExchangeRatesJson> {
    const seen = new Set<string>();
    dto.rates.forEach(({ currencyCode, date }, index) => {
      if (currencyCode === 'EUR')
        throw validationFailed(`rates[${index}].currencyCode`, 'Rates are units per euro; the euro itself has none.', 'invalid_currency');
      if (seen.has(`${currencyCode} ${date}`))
        throw validationFailed(`rates[${index}]`, `${currencyCode} on ${date} is given twice.`, 'duplicate');
      seen.add(`${currencyCode} ${date}`);
    });
    return this.database.tenant(tenantId, async (tx) => {
      await this.prepare(tx);
      await tx.query('delete from exchange_rate');
      await insertRows(
        tx,
        ExchangeRateRow,
        dto.rates.map((rate): ExchangeRateRow => ({ tenantId, ...rate })),
      );
      await retryNow(tx, { reason: 'exchange_rate_missing' });
      return list(tx);
    });
  }

  private async prepare(tx: Tx): Promise<void> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    if (tenant?.mode === 'sandbox') await ensureExampleRates(tx);
  }
}

const list = async (tx: Tx): Promise<ExchangeRatesJson> => ({
  rates: await tx.query<EuroRate>(
    'select date, currency_code as "currencyCode", rate from exchange_rate order by date desc, currency_code',
  ),
});
