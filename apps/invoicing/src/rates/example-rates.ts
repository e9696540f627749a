import type { EuroRate } from '../domain/rates/exchange.js';

/** Long before any sandbox clock starts, because rates of any age are used there. */
const DATE = '2000-01-03';

/** Made-up rates in the neighbourhood of real ones, units per euro: what a sandbox tenant starts with. */
export const EXAMPLE_RATES: readonly EuroRate[] = Object.entries({
  AUD: '1.6500',
  BGN: '1.9558',
  BRL: '6.0500',
  CAD: '1.4800',
  CHF: '0.9500',
  CNY: '7.8500',
  CZK: '24.9000',
  DKK: '7.4600',
  GBP: '0.8500',
  HKD: '8.4500',
  HUF: '400.00',
  IDR: '17300.00',
  ILS: '4.0500',
  INR: '90.5000',
  ISK: '149.50',
  JPY: '160.00',
  KRW: '1480.00',
  KWD: '0.3320',
  MXN: '20.5000',
  MYR: '4.8500',
  NOK: '11.6500',
  NZD: '1.8200',
  PHP: '62.5000',
  PLN: '4.3000',
  RON: '4.9700',
  SEK: '11.3000',
  SGD: '1.4500',
  THB: '37.8000',
  TND: '3.3700',
  TRY: '37.5000',
  USD: '1.0800',
  ZAR: '19.9000',
}).map(([currencyCode, rate]) => ({ currencyCode, date: DATE, rate }));
