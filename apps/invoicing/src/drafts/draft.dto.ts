import { hasAtMost } from '@kontor/kernel';
import {
  BodyExample,
  Describe,
  CurrencyCode,
  DecimalString,
  exampleIdOf,
  FieldCheck,
  InstantString,
  type MoneyDto,
  MoneyField,
  NestedList,
  NotSupportedYet,
  OptionalField,
  ReadOnly,
  RequiredField,
  StringMap,
  type UnitPriceDto,
  UnitPriceField,
  Uuid,
} from '@kontor/service-kit';
import { IsIn, IsString, Length } from 'class-validator';
import type { HeadlineInput } from '../domain/drafts/headlines.js';
import { E_INVOICE_TYPES, type EInvoiceType } from '../domain/invoices/invoice.js';

const MAX_GROUP_NAME = 255;
const MAX_RANKING = 1_000_000;
const NAME = { type: 'string', minLength: 1, maxLength: MAX_GROUP_NAME };

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && hasAtMost(value, MAX_GROUP_NAME);

function isGroup(value: unknown): value is HeadlineInput {
  if (typeof value === 'string') return isName(value);
  if (typeof value !== 'object' || value === null) return false;
  const { name, ranking, id, ...rest } = value as Record<string, unknown>;
  const ranked =
    ranking === undefined ||
    ranking === null ||
    (Number.isInteger(ranking) && Math.abs(ranking as number) <= MAX_RANKING);
  return isName(name) && ranked && (id === undefined || id === null || isName(id)) && Object.keys(rest).length === 0;
}

/** What every position may have, child or not. */
export class ChildPositionDto {
  @RequiredField() @IsString() @Length(1, 255) name!: string;
  @OptionalField() @IsString() @Length(0, 5000) description?: string | null;
  @OptionalField() @DecimalString({ min: '-1000000000000', max: '1000000000000', scale: 12 }) quantity?: string | null;
  @OptionalField() @Uuid() unit?: string | null;
  @RequiredField() @UnitPriceField() unitPrice!: UnitPriceDto;
  @OptionalField() @Uuid() taxGroup?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '100', scale: 10 }) discountPercentage?: string | null;
  @OptionalField() @MoneyField() discountFixed?: MoneyDto | null;
  @OptionalField() @Uuid() product?: string | null;
  @OptionalField() @IsIn(['product', 'discount', 'setup']) type?: 'product' | 'discount' | 'setup' | null;
  @OptionalField() @InstantString() serviceDateFrom?: string | null;
  @OptionalField() @InstantString() serviceDateTo?: string | null;
  @ReadOnly() id?: unknown;
  @ReadOnly() position?: unknown;
  @ReadOnly() netAmount?: unknown;
  @ReadOnly() grossAmount?: unknown;
  @ReadOnly() taxAmount?: unknown;
  @ReadOnly() discountAmount?: unknown;
  @ReadOnly() tax?: unknown;
  @ReadOnly() createdAt?: unknown;
  @ReadOnly() subscriptionItem?: unknown;
}

@BodyExample({ name: 'Workshop', quantity: '2', unitPrice: { amount: 45000, currencyCode: 'EUR' } })
export class PositionDto extends ChildPositionDto {
  @OptionalField()
  @FieldCheck({
    code: 'invalid_group',
    message: 'must be the name of a headline, or an object with name and ranking',
    types: ['string', 'object'],
    schema: {
      oneOf: [
        NAME,
        {
          type: 'object',
          properties: {
            name: NAME,
            ranking: { type: ['integer', 'null'], minimum: -MAX_RANKING, maximum: MAX_RANKING },
            id: { anyOf: [NAME, { type: 'null' }] },
          },
          required: ['name'],
          additionalProperties: false,
        },
      ],
    },
    holds: isGroup,
  })
  group?: HeadlineInput | null;
  @OptionalField() @NestedList(() => ChildPositionDto, { max: 200 }) children?: ChildPositionDto[] | null;
}

/** `POST /invoices/{id}/positions`: a position, below another one if `parent` says so. */
@BodyExample({ name: 'Workshop', quantity: '2', unitPrice: { amount: 45000, currencyCode: 'EUR' } })
export class NewPositionDto extends PositionDto {
  @OptionalField() @Uuid() parent?: string | null;
}

class DraftDto {
  @OptionalField() @CurrencyCode() currencyCode?: string | null;
  @OptionalField() @InstantString() dueDate?: string | null;
  @OptionalField() @Uuid() paymentMethod?: string | null;
  @OptionalField() @NestedList(() => PositionDto, { max: 1000 }) positions?: PositionDto[] | null;
  @OptionalField() @StringMap() customFields?: Record<string, string> | null;
  @NotSupportedYet({ allowed: ['TYPE_INVOICE'] }) type?: unknown;
  @OptionalField()
  @IsIn(E_INVOICE_TYPES)
  @Describe('Absent: as the settings say.')
  eInvoiceType?: EInvoiceType | null;
  @OptionalField()
  @IsString()
  @Length(1, 46)
  @Describe('Leitweg-ID of a German authority: the e-invoice is an XRechnung.')
  leitwegId?: string | null;
  @ReadOnly() id?: unknown;
  @ReadOnly() number?: unknown;
  @ReadOnly() status?: unknown;
  @ReadOnly() referencedInvoice?: unknown;
  @ReadOnly() referencedInvoices?: unknown;
  @ReadOnly() creationDate?: unknown;
  @ReadOnly() finalizationDate?: unknown;
  @ReadOnly() lastReminderDate?: unknown;
  @ReadOnly() lastSentAt?: unknown;
  @ReadOnly() dunningLevel?: unknown;
  @ReadOnly() dunningStatus?: unknown;
  @ReadOnly() payDate?: unknown;
  @ReadOnly() invoiceAddress?: unknown;
  @ReadOnly() internalNote?: unknown;
  @ReadOnly() title?: unknown;
  @ReadOnly() introduction?: unknown;
  @ReadOnly() closing?: unknown;
  @ReadOnly() netAmount?: unknown;
  @ReadOnly() grossAmount?: unknown;
  @ReadOnly() taxAmount?: unknown;
  @ReadOnly() discountAmount?: unknown;
  @ReadOnly() unpaidAmount?: unknown;
  @ReadOnly() file?: unknown;
  @ReadOnly() xmlFile?: unknown;
  @ReadOnly() applicatedExchangeRates?: unknown;
  @ReadOnly() serviceDateFrom?: unknown;
  @ReadOnly() serviceDateTo?: unknown;
  @ReadOnly() usageBreakdownUrl?: unknown;
  @ReadOnly() cancellationDocument?: unknown;
  @ReadOnly() dunningDisabled?: unknown;
  @ReadOnly() sourceType?: unknown;
  @ReadOnly() paymentIntent?: unknown;
}

@BodyExample({
  customer: exampleIdOf('customer'),
  positions: [{ name: 'Workshop', quantity: '2', unitPrice: { amount: 45000, currencyCode: 'EUR' } }],
})
export class InvoiceDto extends DraftDto {
  @RequiredField() @Uuid() customer!: string;
}

@BodyExample({ invoiceAddress: null })
export class InvoiceAddressDto {
  /** Address of the customer; null or absent: the customer's default. */
  @OptionalField() @Uuid() invoiceAddress?: string | null;
}
