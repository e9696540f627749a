import { isSupportedDay } from '@kontor/kernel';
import {
  BodyExample,
  Describe,
  exampleIdOf,
  FieldCheck,
  FreeObject,
  isInstantText,
  Nested,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsIn, IsString, IsUrl, Length } from 'class-validator';
import {
  GATEWAYS,
  METHOD_TYPES,
  type GatewayName,
  type PaymentMethodType,
} from '../domain/payment-methods/payment-method.js';
import {
  isMandateReference,
  MANDATE_REFERENCE,
  readBic,
  readIban,
  SEPA_SCHEMES,
  type SepaScheme,
  SEQUENCE_TYPES,
  type SequenceType,
} from '../domain/payment-methods/sepa-mandate.js';

const IbanField = () =>
  FieldCheck({
    code: 'invalid_iban',
    message: 'must be an IBAN of the SEPA area with right check digits',
    types: ['string'],
    schema: { format: 'iban', maxLength: 42 },
    holds: (value) => typeof value === 'string' && value.length <= 42 && readIban(value) !== null,
  });
const BicField = () =>
  FieldCheck({
    code: 'invalid_bic',
    message: 'must be a BIC',
    types: ['string'],
    schema: { format: 'bic', maxLength: 14 },
    holds: (value) => typeof value === 'string' && value.length <= 14 && readBic(value) !== null,
  });
const MandateReferenceField = () =>
  FieldCheck({
    code: 'invalid_mandate_reference',
    message: "must be at most 35 letters, digits and + ? / - : ( ) . , ' without blanks",
    types: ['string'],
    schema: { maxLength: 35, pattern: MANDATE_REFERENCE.source },
    holds: (value) => typeof value === 'string' && isMandateReference(value),
  });
const DayOrInstant = () =>
  FieldCheck({
    code: 'invalid_date',
    message: 'must be a calendar day, YYYY-MM-DD',
    types: ['string'],
    schema: { format: 'date' },
    holds: (value) => isSupportedDay(value) || isInstantText(value),
  });

/** The payer's permission to debit an account, signed or taken over. */
export class SepaMandateDto {
  @RequiredField()
  @IbanField()
  iban!: string;

  @OptionalField()
  @BicField()
  bic?: string | null;

  @OptionalField()
  @IsString()
  @Length(1, 70)
  @Describe("Who owns the account; the customer's name unless given.")
  accountHolder?: string | null;

  @OptionalField()
  @MandateReferenceField()
  @Describe('Unique for the creditor; made up unless given.')
  mandateReference?: string | null;

  @OptionalField()
  @DayOrInstant()
  @Describe('Today unless given.')
  signingDate?: string | null;

  @OptionalField()
  @IsIn([...SEQUENCE_TYPES])
  @Describe(
    'Kind of the next debit: FRST for a new mandate, RCUR for one taken over in use, OOFF for a single debit, ' +
      'FNAL for the last one.',
  )
  sequenceType?: SequenceType | null;

  @OptionalField()
  @IsIn([...SEPA_SCHEMES])
  scheme?: SepaScheme | null;

  @OptionalField()
  @IsIn([...SEQUENCE_TYPES])
  @Describe('The same as sequenceType, as a cart names it.')
  sequence?: SequenceType | null;

  @OptionalField()
  @IsIn([...SEPA_SCHEMES])
  @Describe('The same as scheme, as a cart names it.')
  type?: SepaScheme | null;
}

@BodyExample({ gateway: 'bank_transfer', customerId: exampleIdOf('customer') })
export class CreatePaymentMethodDto {
  @ReadOnly() id?: string;
  @ReadOnly() status?: string;
  @ReadOnly() creationDate?: string;
  @ReadOnly() card?: unknown;
  @ReadOnly() sepaDebit?: unknown;
  @ReadOnly() onlineWalletProvider?: unknown;

  @IsIn([...GATEWAYS])
  gateway!: GatewayName;

  @OptionalField()
  @IsIn([...METHOD_TYPES])
  type?: PaymentMethodType | null;

  @RequiredField()
  @Uuid()
  customerId!: string;

  @OptionalField()
  @IsBoolean()
  isDefault?: boolean | null;

  @OptionalField()
  @IsBoolean()
  futureUsageAllowed?: boolean | null;

  @OptionalField()
  @Nested(() => SepaMandateDto)
  @Describe('For the gateway sepa_debit.')
  sepaMandate?: SepaMandateDto | null;

  @OptionalField()
  @FreeObject()
  @Describe(
    'What the card provider needs, such as a token of its own form; without it the payer enters the card on its page.',
  )
  cardProvider?: Record<string, unknown> | null;

  @OptionalField()
  @FreeObject()
  @Describe('What the debit provider needs; without it the payer enters the account on its page.')
  debitProvider?: Record<string, unknown> | null;

  /** Where the payer goes after an action at the provider: https, in a sandbox also http on the payer's machine. */
  @OptionalField()
  @IsString()
  @Length(1, 2000)
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  redirectUrl?: string | null;
}

export class MakeDefaultDto {
  @OptionalField()
  @Uuid()
  customerId?: string | null;
}

/** A way to pay that a buyer chose on a page of ours. */
export class CheckoutMethodDto extends CreatePaymentMethodDto {
  @OptionalField() @FreeObject() mandateConsent?: Record<string, unknown> | null;
}
