import {
  BodyExample,
  exampleIdOf,
  CurrencyCode,
  Describe,
  MajorUnits,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean } from 'class-validator';

const CUSTOMER = 'Required, but for tokens that are bound to a customer.';

@BodyExample({ customerId: exampleIdOf('customer'), amount: 50, currencyCode: 'EUR' })
export class TopUpDto {
  @ReadOnly() id?: string;
  @ReadOnly() requestedAmount?: unknown;
  @ReadOnly() creditedAmount?: unknown;
  @ReadOnly() status?: string;
  @ReadOnly() failureReason?: string;
  @ReadOnly() createdAt?: string;
  @ReadOnly() completedAt?: string;

  @OptionalField()
  @Uuid()
  @Describe(CUSTOMER)
  customerId?: string | null;

  /** Major units, greater than zero. */
  @RequiredField()
  @MajorUnits('positive')
  @Describe('Major units, greater than 0.')
  amount!: number;

  @RequiredField()
  @CurrencyCode()
  currencyCode!: string;

  @OptionalField()
  @Uuid()
  @Describe("The customer's default unless given.")
  paymentMethodId?: string | null;
}

@BodyExample({ customerId: exampleIdOf('customer'), currencyCode: 'EUR', thresholdAmount: 10, topUpAmount: 50 })
export class CreateAutoTopUpDto {
  @ReadOnly() id?: string;
  @ReadOnly() consecutiveFailures?: number;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;

  @OptionalField()
  @Uuid()
  @Describe(CUSTOMER)
  customerId?: string | null;

  @RequiredField()
  @CurrencyCode()
  currencyCode!: string;

  @RequiredField()
  @MajorUnits('positive')
  @Describe('Major units, greater than 0. A balance below it starts a top-up.')
  thresholdAmount!: number;

  @RequiredField()
  @MajorUnits('positive')
  @Describe('Major units, greater than 0.')
  topUpAmount!: number;

  @OptionalField()
  @Uuid()
  @Describe("The customer's default unless given.")
  paymentMethodId?: string | null;
}

/** Only what is given changes. */
@BodyExample({ thresholdAmount: 20, enabled: true })
export class ChangeAutoTopUpDto {
  @ReadOnly() id?: string;
  @ReadOnly() customerId?: string;
  @ReadOnly() currencyCode?: string;
  @ReadOnly() consecutiveFailures?: number;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;

  @OptionalField()
  @MajorUnits('positive')
  thresholdAmount?: number | null;

  @OptionalField()
  @MajorUnits('positive')
  topUpAmount?: number | null;

  @OptionalField()
  @Uuid()
  @Describe("null: the customer's default.")
  paymentMethodId?: string | null;

  @OptionalField()
  @IsBoolean()
  @Describe('Switching it on again forgets earlier failures.')
  enabled?: boolean | null;
}
