import {
  BodyExample,
  CurrencyCode,
  exampleIdOf,
  InstantString,
  MajorUnits,
  OptionalField,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

/** `POST /invoices/{id}/payments`: money already received; amounts in major units. */
@BodyExample({ paymentMethod: exampleIdOf('paymentMethod'), description: 'Bank transfer' })
export class AddPaymentDto {
  @RequiredField() @Uuid() paymentMethod!: string;
  @RequiredField() @IsString() @Length(1, 5000) description!: string;
  @OptionalField() @MajorUnits() amount?: number | null;
  @OptionalField() @CurrencyCode() currencyCode?: string | null;
  @OptionalField() @MajorUnits() feeAmount?: number | null;
  @OptionalField() @InstantString() paymentDate?: string | null;
}
