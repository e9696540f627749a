import {
  CurrencyCode,
  Describe,
  InstantString,
  MoneyField,
  type MoneyDto,
  NestedList,
  OptionalField,
  RequiredField,
  StringMap,
  Uuid,
} from '@kontor/service-kit';
import { IsString, Length, Matches } from 'class-validator';
import { PositionDto } from '../drafts/draft.dto.js';

/** `POST /invoices/import`. */
export class ImportInvoiceDto {
  @RequiredField() @Uuid() customer!: string;

  @RequiredField()
  @IsString()
  @Length(1, 100)
  @Matches(/^[\x21-\uffff](?:[\x20-\uffff]*[\x21-\uffff])?$/)
  @Describe('As the other system gave it; it is kept. It must not be one that a number format of this tenant gives.')
  number!: string;

  @RequiredField()
  @InstantString()
  @Describe('When the other system issued it; not in the future. VAT rates are those of that day.')
  finalizationDate!: string;

  @RequiredField() @InstantString() dueDate!: string;
  @OptionalField() @CurrencyCode() currencyCode?: string | null;
  @RequiredField() @NestedList(() => PositionDto, { min: 1, max: 1000 }) positions!: PositionDto[];

  @OptionalField()
  @MoneyField()
  @Describe(
    'The total of the original. Where it is not what the positions come to, nothing is imported (422 `total_differs`).',
  )
  grossAmount?: MoneyDto | null;

  @OptionalField()
  @InstantString()
  @Describe('When all of it was paid; absent: it is open, and is not collected by itself.')
  payDate?: string | null;

  @OptionalField() @StringMap() customFields?: Record<string, string> | null;
}
