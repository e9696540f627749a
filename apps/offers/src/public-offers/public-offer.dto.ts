import { canBeVatId, normalizeVatId, hasAtMost } from '@kontor/kernel';
import {
  DecimalString,
  Describe,
  FieldCheck,
  LeitwegIdField,
  Nested,
  NestedList,
  OptionalField,
  RequiredField,
} from '@kontor/service-kit';
import { isDrawing, MAX_DRAWING, MAX_SIDE } from './drawing.js';
import { IsBoolean, IsIn, IsString, Length, Matches } from 'class-validator';

const VersionHash = (): PropertyDecorator => (target, property) => {
  for (const decorate of [
    OptionalField(),
    IsString(),
    Length(1, 64),
    Describe('What was read: when something else is published by now, nothing happens (409 `offer_changed`).'),
  ])
    decorate(target, property);
};

export class AcceptOfferDto {
  @VersionHash() versionHash?: string | null;
}

export class ItemChoiceDto {
  @RequiredField() @IsString() @Length(1, 64) item!: string;
  @OptionalField() @IsBoolean() selected?: boolean | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999', scale: 9 }) quantity?: string | null;
}

/** Items that are not named stay as they are. */
export class ChoiceDto {
  @VersionHash() versionHash?: string | null;
  @RequiredField() @NestedList(() => ItemChoiceDto, { max: 100 }) items!: ItemChoiceDto[];
}

export class SignatureDto {
  @RequiredField() @IsIn(['typed', 'drawn']) type!: 'typed' | 'drawn';
  @RequiredField()
  @FieldCheck({
    code: 'invalid_signature',
    message:
      `must be the typed name, or a drawing as data:image/png;base64 of at most ${MAX_DRAWING} characters, ` +
      `${MAX_SIDE} pixels a side and two million in all`,
    types: ['string'],
    schema: { minLength: 1, maxLength: MAX_DRAWING },
    holds: (value) =>
      typeof value === 'string' &&
      value.trim() !== '' &&
      value.length <= MAX_DRAWING &&
      (value.startsWith('data:') ? isDrawing(value) : hasAtMost(value, 255)),
  })
  data!: string;
}

export class SignOfferDto {
  @VersionHash() versionHash?: string | null;
  @RequiredField() @IsString() @Length(2, 255) @Matches(/\S/) name!: string;
  @RequiredField() @Nested(() => SignatureDto) signature!: SignatureDto;
}

/** Where the invoices go. */
export class InvoiceDetailsDto {
  @OptionalField() @IsString() @Length(2, 255) companyName?: string | null;
  @OptionalField() @IsString() @Length(2, 255) firstName?: string | null;
  @OptionalField() @IsString() @Length(2, 255) lastName?: string | null;
  @RequiredField() @IsString() @Length(1, 255) @Matches(/\S/) street!: string;
  @OptionalField() @IsString() @Length(1, 30) houseNumber?: string | null;
  @RequiredField() @IsString() @Length(1, 20) @Matches(/\S/) zip!: string;
  @RequiredField() @IsString() @Length(1, 255) @Matches(/\S/) city!: string;
  @OptionalField() @IsString() @Length(1, 255) addition?: string | null;
  @OptionalField() @Matches(/^[A-Z]{2}$/) @Describe("ISO 3166; the customer's country when absent.") countryCode?:
    string | null;
  @OptionalField()
  @FieldCheck({
    code: 'invalid_vat_id',
    message: 'must be a VAT id: its country, then what ids of that country look like',
    types: ['string'],
    schema: { format: 'vat-id', maxLength: 20, examples: ['DE136695976'] },
    holds: (value) => typeof value === 'string' && value.length <= 20 && canBeVatId(normalizeVatId(value)),
  })
  vatId?: string | null;
  @OptionalField() @IsString() @Length(1, 255) poNumber?: string | null;
  @OptionalField()
  @LeitwegIdField()
  @Describe('Where an authority wants its e-invoices; the customer keeps it.')
  leitwegId?: string | null;
}
