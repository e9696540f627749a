import {
  DecimalString,
  Describe,
  MajorOrMoney,
  NestedList,
  OptionalField,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsIn, IsString, Length } from 'class-validator';
import { type Disposition, DISPOSITIONS } from '../pricing/draft.js';

export const CREDIT_REASONS = ['duplicate', 'incorrect', 'product_unsatisfactory', 'order_change', 'other'] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

const WHERE_TO =
  'What becomes of money that was paid for it: `wallet` makes it credit (feature WalletTopUp), `refund` sends it back ' +
  'the way it came, `none` leaves it owed to the customer. Unless given: credit where there is a wallet, else none.';

class CorrectionDto {
  @OptionalField() @IsString() @Length(1, 1000) @Describe('Kept as the internal note.') comment?: string | null;
  @OptionalField() @IsIn(DISPOSITIONS) @Describe(WHERE_TO) disposition?: Disposition | null;
  @OptionalField() @IsBoolean() @Describe('false: the customer gets no mail with the document.') sendEmail?:
    boolean | null;
}

/** `POST /invoices/{id}/cancel`. */
export class CancelInvoiceDto extends CorrectionDto {
  @OptionalField() @IsString() @Length(1, 255) @Describe('Why, in a word or a sentence.') reason?: string | null;
}

/** Of a position: a quantity or an amount; neither: all that is left. */
export class CreditedPositionDto {
  @RequiredField() @Uuid() @Describe('Id of a position of the invoice.') id!: string;

  @OptionalField()
  @DecimalString({ min: '-1000000000000', max: '1000000000000', scale: 12 })
  @Describe("Of the position's quantity; not together with `amount`.")
  quantity?: string | null;

  @OptionalField()
  @MajorOrMoney()
  @Describe(
    'Net after discount: major units as a number, or `{amount, currencyCode}` in minor units; the tax follows from it.',
  )
  amount?: number | { amount: number; currencyCode: string } | null;
}

/** `POST /invoices/{id}/credit`. */
export class CreditInvoiceDto extends CorrectionDto {
  @OptionalField()
  @NestedList(() => CreditedPositionDto, { min: 1, max: 1000 })
  @Describe('All that is left unless given.')
  positions?: CreditedPositionDto[] | null;

  @OptionalField() @IsIn(CREDIT_REASONS) reason?: CreditReason | null;
}

/** `PUT /invoices/{id}/close`. */
export class CloseInvoiceDto {
  @OptionalField() @IsString() @Length(1, 255) @Describe('Why the rest is given up.') reason?: string | null;
}
