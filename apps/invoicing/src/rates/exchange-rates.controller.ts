import { Body, Controller, Get, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { ExchangeRates } from './exchange-rates.js';
import { ExchangeRatesDto } from './exchange-rates.dto.js';
import { exchangeRatesSchema } from './exchange-rates.schema.js';

const tag = 'Settings';

@Controller('exchange-rates')
export class ExchangeRatesController {
  constructor(private readonly rates: ExchangeRates) {}

  @Get()
  @Operation({
    id: 'getExchangeRates',
    summary: 'Euro rates that positions in other currencies are converted with',
    tag,
    permission: 'settings:read',
    response: exchangeRatesSchema,
  })
  read(@Caller() caller: Principal) {
    return this.rates.read(caller.tenantId);
  }

  @Put()
  @Operation({
    id: 'replaceExchangeRates',
    summary: 'Replace the euro rates',
    tag,
    permission: 'settings:write',
    response: exchangeRatesSchema,
  })
  replace(@Caller() caller: Principal, @Body() dto: ExchangeRatesDto) {
    return this.rates.replace(caller.tenantId, dto);
  }
}
