import { CurrencyCode, MajorUnits, RequiredField, Uuid } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

export class AdjustWalletDto {
  @RequiredField()
  @Uuid()
  customerId!: string;

  /** Signed, major units: 12.5 gives credit, -12.5 takes it. */
  @RequiredField()
  @MajorUnits()
  amount!: number;

  @RequiredField()
  @CurrencyCode()
  currencyCode!: string;

  @RequiredField()
  @IsString()
  @Length(1, 1000)
  description!: string;
}
