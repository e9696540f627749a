import { BodyExample, CurrencyCode, DayString, DecimalString, NestedList, RequiredField } from '@kontor/service-kit';

export class ExchangeRateDto {
  @RequiredField() @DayString() date!: string;
  @RequiredField() @CurrencyCode() currencyCode!: string;
  /** Units of the currency per euro. */
  @RequiredField() @DecimalString({ min: '0.0000000001', max: '1000000000000', scale: 10 }) rate!: string;
}

@BodyExample({ rates: [{ date: '2026-02-27', currencyCode: 'USD', rate: '1.0812' }] })
export class ExchangeRatesDto {
  @RequiredField() @NestedList(() => ExchangeRateDto, { max: 1000 }) rates!: ExchangeRateDto[];
}
