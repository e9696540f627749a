import { OptionalField, Uuid } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

export class InvoicePaymentMethodDto {
  /** Null or absent: the customer's default. */
  @OptionalField() @Uuid() paymentMethod?: string | null;
}

export class InvoiceNoteDto {
  @OptionalField() @IsString() @Length(0, 5000) note?: string | null;
}
