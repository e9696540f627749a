import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { type Tx, validationFailed } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { retryBlockedDrafts } from '../invoices/blocked-drafts.js';
import type { ExchangeRatesDto } from './exchange-rates.dto.js';
import type { ExchangeRatesJson } from './exchange-rates.schema.js';
import { ensureExampleRates, lockRates } from './euro-rates.js';
import { exchangeRateTable } from './exchange-rate.row.js';

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
        throw validationFailed(
          `rates[${index}].currencyCode`,
          'Rates are units per euro; the euro itself has none.',
          'invalid_currency',
        );
      if (seen.has(`${currencyCode} ${date}`))
        throw validationFailed(`rates[${index}]`, `${currencyCode} on ${date} is given twice.`, 'duplicate');
      seen.add(`${currencyCode} ${date}`);
    });
    return this.database.tenant(tenantId, async (tx) => {
      await lockRates(tx);
      await this.prepare(tx);
      await tx.query('DELETE FROM exchange_rate WHERE tenant_id = $1', [tenantId]);
      await exchangeRateTable.insert(tx, dto.rates);
      await retryBlockedDrafts(tx, { reason: 'exchange_rate_missing' });
      return list(tx);
    });
  }

  private async prepare(tx: Tx): Promise<void> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    if (tenant?.mode === 'sandbox') await ensureExampleRates(tx);
  }
}

async function list(tx: Tx): Promise<ExchangeRatesJson> {
  const rates = await exchangeRateTable.find(tx, {}, { orderBy: { date: 'desc', currencyCode: 'asc' } });
  return { rates: rates.map(({ date, currencyCode, rate }) => ({ date, currencyCode, rate })) };
}
