import { Injectable } from '@nestjs/common';
import { type EventOf, tenantChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import {
  completeDueMany,
  Database,
  type DueBatch,
  DueHandler,
  type DueWorker,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { Log, outboundAgent, ServiceConfig } from '@kontor/service-kit';
import { request } from 'undici';
import type { EuroRate } from '../domain/rates/exchange.js';
import { parseEcbRates } from '../domain/rates/parse-ecb-rates.js';
import { RATES_WORK } from '../due-kinds.js';
import { retryBlockedDrafts } from '../invoices/blocked-drafts.js';
import { lockRates } from './euro-rates.js';
import { exchangeRateSourceTable, exchangeRateTable } from './exchange-rate.row.js';

const ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';
const HOUR_MS = 3_600_000;
const AGAIN_AFTER_MS = 6 * HOUR_MS;
const RETRY_AFTER_MS = HOUR_MS;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 5_000_000;
/** Tenants that are due together share one request. */
const SHARED_MS = 5 * 60_000;

/** A live tenant gets the central bank's rates from its beginning on. */
@EventConsumer()
export class OnTenantChanged {
  @Consume(tenantChangedV1, { consumer: 'exchange-rates' })
  async handle({ payload }: EventOf<typeof tenantChangedV1>, tx: TenantTx): Promise<void> {
    if (payload.state?.mode !== 'live') return;
    if (await exchangeRateSourceTable.exists(tx, {})) return;
    await exchangeRateSourceTable.insertMissing(tx, { fetchedAt: null });
    await scheduleDue(tx, { kind: RATES_WORK, ref: tx.tenantId, dueAt: new Date(), wall: true });
  }
}

/**
 * Fetches the central bank's rates for live tenants. When that fails, the ones that are there stay, and it is tried
 * again.
 */
@Injectable()
@DueHandler({ kind: RATES_WORK, batchSize: 100 })
export class FetchRates implements DueWorker {
  private readonly agent = outboundAgent();
  private fetched: { at: number; rates: Promise<EuroRate[]> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
    private readonly log: Log,
  ) {}

  async handle({ tenantId, items }: DueBatch): Promise<void> {
    const rates = await this.rates().catch((error: Error) => {
      this.log.warn({ err: error }, 'exchange rates could not be fetched, those known stay in use');
      this.fetched = undefined;
      return [];
    });
    const nextDueAt = new Date(Date.now() + (rates.length > 0 ? AGAIN_AFTER_MS : RETRY_AFTER_MS));
    await this.database.tenant(tenantId, async (tx) => {
      if (rates.length > 0) {
        await lockRates(tx);
        await exchangeRateTable.save(tx, rates);
        await exchangeRateSourceTable.save(tx, { fetchedAt: new Date() });
        await retryBlockedDrafts(tx, { reason: 'exchange_rate_missing' });
      }
      await completeDueMany(
        tx,
        RATES_WORK,
        items.map((item) => ({ item, nextDueAt })),
      );
    });
  }

  private rates(): Promise<EuroRate[]> {
    if (!this.fetched || performance.now() - this.fetched.at > SHARED_MS)
      this.fetched = { at: performance.now(), rates: this.download() };
    return this.fetched.rates;
  }

  private async download(): Promise<EuroRate[]> {
    const { statusCode, headers, body } = await request(this.config.exchangeRatesUrl ?? ECB_URL, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      dispatcher: this.agent,
    });
    const length = Number(headers['content-length'] ?? 0);
    if (statusCode !== 200 || length > MAX_BYTES) {
      await body.dump();
      throw new Error(`the exchange rates answered ${statusCode} with ${length} bytes`);
    }
    const rates = parseEcbRates((await body.text()).slice(0, MAX_BYTES));
    if (rates.length === 0) throw new Error('the exchange rates could not be read');
    return rates;
  }
}
