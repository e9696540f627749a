import { Describe, MajorOrMoney, OptionalField, Uuid } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

/** `POST /invoices/{id}/refund`. */
export class RefundInvoiceDto {
  @OptionalField()
  @MajorOrMoney()
  @Describe('Major units as a number, or `{amount, currencyCode}` in minor units; all that is left unless given.')
  amount?: number | { amount: number; currencyCode: string } | null;

  @OptionalField()
  @Uuid()
  @Describe('Where the money goes; unless given, back the way it came.')
  paymentMethod?: string | null;

  @OptionalField()
  @IsString()
  @Length(1, 1000)
  reason?: string | null;
}
