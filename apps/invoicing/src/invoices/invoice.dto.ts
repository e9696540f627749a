import { Describe, OptionalField, Uuid } from '@kontor/service-kit';
import { IsEmail, IsString, Length } from 'class-validator';

export class InvoicePaymentMethodDto {
  /** Null or absent: the customer's default. */
  @OptionalField() @Uuid() paymentMethod?: string | null;
}

export class InvoiceNoteDto {
  @OptionalField() @IsString() @Length(0, 5000) note?: string | null;
}

/** `POST /invoices/{id}/send`. */
export class SendInvoiceDto {
  @OptionalField() @IsEmail() @Describe("Unless given, the customer's address for invoices.") email?: string | null;
}
