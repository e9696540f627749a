import { Module } from '@nestjs/common';
import { ExchangeRatesController } from './exchange-rates.controller.js';
import { ExchangeRates } from './exchange-rates.js';
import { FetchRates, OnTenantChanged } from './fetch-rates.js';

/** Euro exchange rates of a tenant. */
@Module({
  controllers: [ExchangeRatesController, OnTenantChanged],
  providers: [ExchangeRates, FetchRates],
})
export class RatesModule {}
