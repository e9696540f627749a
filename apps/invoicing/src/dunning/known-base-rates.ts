import { Injectable } from '@nestjs/common';
import type { Day } from '@kontor/kernel';
import { ConfigurationError, Log, ServiceConfig } from '@kontor/service-kit';
import { type BaseRates, baseRatesWith, missingHalfYear } from '../domain/dunning/base-rates.js';

/** The base rates by which interest is claimed: those in the code, and what `BASE_RATES` adds. */
@Injectable()
export class KnownBaseRates {
  readonly rates: BaseRates;
  private readonly reported = new Set<Day>();

  constructor(
    config: ServiceConfig,
    private readonly log: Log,
  ) {
    try {
      this.rates = baseRatesWith(config.read.texts('BASE_RATES'));
    } catch (error) {
      throw new ConfigurationError(
        `BASE_RATES must be base rates by their half year with commas, like 2027-01-01=1.77; "${(error as Error).message}" is none.`,
      );
    }
  }

  /** Once for each half year whose rate nobody knows. */
  reportMissing(today: Day): void {
    const missing = missingHalfYear(this.rates, today);
    if (missing === null || this.reported.has(missing)) return;
    this.reported.add(missing);
    const used = this.rates.at(-1)?.[0];
    this.log.warn(
      { missing, used },
      'the base rate of a half year is missing in BASE_RATES, interest goes by the last one',
    );
  }
}
