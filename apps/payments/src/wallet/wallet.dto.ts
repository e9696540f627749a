import {
  CurrencyCode,
  Describe,
  InstantString,
  MajorUnits,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsString, Length } from 'class-validator';

export class AdjustWalletDto {
  @ReadOnly() id?: string;
  @ReadOnly() type?: string;
  @ReadOnly() balanceAfter?: unknown;
  @ReadOnly() createdAt?: string;

  @RequiredField()
  @Uuid()
  customerId!: string;

  /** Signed, major units: 12.5 gives credit, -12.5 takes it. */
  @RequiredField()
  @MajorUnits('notZero')
  amount!: number;

  @RequiredField()
  @CurrencyCode()
  currencyCode!: string;

  @RequiredField()
  @IsString()
  @Length(1, 1000)
  description!: string;

  @OptionalField()
  @IsBoolean()
  @Describe('For credit that is given: it is used before any other.')
  promotional?: boolean | null;

  @OptionalField()
  @InstantString()
  @Describe(
    'For credit that is given: what is left of it then ends. As the setting creditExpiryDays says unless given.',
  )
  expiresAt?: string | null;
}
