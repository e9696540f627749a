import { Describe, FieldCheck, Nested, OptionalField, RequiredField } from '@kontor/service-kit';
import { IsIn, IsString, Length, Matches } from 'class-validator';

const VersionHash = (): PropertyDecorator => (target, property) => {
  for (const decorate of [
    OptionalField(),
    IsString(),
    Length(64, 64),
    Describe('What was read: when something else is published by now, nothing happens (409 `offer_changed`).'),
  ])
    decorate(target, property);
};

export class AcceptOfferDto {
  @VersionHash() versionHash?: string | null;
}

/** A drawing as PNG; larger ones are no signatures. */
const MAX_DRAWING = 200_000;
const PNG = /^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$/;

export class SignatureDto {
  @RequiredField() @IsIn(['typed', 'drawn']) type!: 'typed' | 'drawn';
  @RequiredField()
  @FieldCheck({
    code: 'invalid_signature',
    message: `must be the typed name, or a drawing as data:image/png;base64 of at most ${MAX_DRAWING} characters`,
    types: ['string'],
    schema: { minLength: 1, maxLength: MAX_DRAWING },
    holds: (value) =>
      typeof value === 'string' &&
      value.trim() !== '' &&
      value.length <= MAX_DRAWING &&
      (value.startsWith('data:') ? PNG.test(value) : value.length <= 255),
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
  @OptionalField() @IsString() @Length(4, 20) vatId?: string | null;
  @OptionalField() @IsString() @Length(1, 255) poNumber?: string | null;
}
