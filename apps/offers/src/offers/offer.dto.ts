import { hasAtMost } from '@kontor/kernel';
import { OFFER_BOUNDS } from '@kontor/contracts';
import {
  Describe,
  FieldCheck,
  InstantString,
  Nested,
  NestedList,
  NotSupportedYet,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { DEAL_TYPES, type DealType } from '../domain/offers/deal-type.js';
import { ACCEPTANCE_MODES, type AcceptanceMode, OFFER_LOCALES } from '../domain/offers/offer.js';
import { isSection, SECTION_TYPES, SECTIONS, type OfferSection } from '../domain/offers/sections.js';
import { RecipientDto } from '../recipients/recipient.dto.js';

const MAX_TEXT = 10_000;
const MAX_VARIABLES = 200;
/** Of all blocks as JSON; the events that carry an offer have room for it. */
const MAX_SECTIONS_JSON = 100_000;
const isScalar = (value: unknown): boolean =>
  value === null ||
  ['number', 'boolean'].includes(typeof value) ||
  (typeof value === 'string' && hasAtMost(value, MAX_TEXT));

export class OfferContactDto {
  @OptionalField() @IsString() @Length(1, 255) firstName?: string | null;
  @RequiredField() @IsString() @Length(1, 255) @Matches(/\S/) lastName!: string;
  @OptionalField() @IsString() @Length(1, 255) @Describe('What they do: "Sales".') role?: string | null;
  @OptionalField() @IsEmail() @MaxLength(320) email?: string | null;
  @OptionalField() @IsString() @Length(1, 50) phone?: string | null;
}

/** A new offer, or all of it again. */
export class OfferDto {
  @RequiredField()
  @Uuid()
  customer!: string;

  @OptionalField()
  @InstantString()
  validUntil?: string | null;

  @OptionalField()
  @IsString()
  @Length(1, 255)
  name?: string | null;

  @OptionalField()
  @IsIn(DEAL_TYPES)
  dealType?: DealType | null;

  @OptionalField()
  @IsIn(ACCEPTANCE_MODES)
  acceptanceMode?: AcceptanceMode | null;

  /** Language of the document; the customer's when absent. */
  @OptionalField()
  @IsIn(OFFER_LOCALES)
  locale?: string | null;

  /** The subscription that acceptance starts. */
  @OptionalField()
  @Uuid()
  subscription?: string | null;

  @OptionalField()
  @IsBoolean()
  autoActivateSubscription?: boolean | null;

  @OptionalField()
  @IsString()
  @Length(1, 255)
  crmDealId?: string | null;

  @OptionalField()
  @FieldCheck({
    code: 'invalid_map',
    message: `must be a flat object of at most ${MAX_VARIABLES} values`,
    types: ['object'],
    schema: {
      maxProperties: MAX_VARIABLES,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_TEXT },
    },
    holds: (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= MAX_VARIABLES &&
      Object.values(value).every(isScalar),
  })
  customVariables?: Record<string, string | number | boolean | null> | null;

  /** Document blocks, each with its `type`. */
  @OptionalField()
  @FieldCheck({
    code: 'invalid_sections',
    message: `must be at most 100 blocks of the types ${SECTION_TYPES.join(', ')}, ${MAX_SECTIONS_JSON} characters of JSON together`,
    types: ['array'],
    schema: {
      maxItems: 100,
      items: { anyOf: SECTIONS },
    },
    holds: (value) =>
      Array.isArray(value) &&
      value.length <= 100 &&
      value.every(isSection) &&
      JSON.stringify(value).length <= MAX_SECTIONS_JSON,
  })
  sections?: OfferSection[] | null;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(OFFER_BOUNDS.approvers)
  @Uuid({ each: true })
  @Describe('Ids of users who have to approve the offer before it is published, beside those of the settings.')
  approvers?: string[] | null;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(OFFER_BOUNDS.reminders)
  @IsInt({ each: true })
  @Min(OFFER_BOUNDS.reminderDays.min, { each: true })
  @Max(OFFER_BOUNDS.reminderDays.max, { each: true })
  @Describe(
    'So many days before `validUntil` recipients who have not signed are reminded; as in the settings when absent.',
  )
  reminderDays?: number[] | null;

  /** Of a new offer; later ones are added one by one. */
  @OptionalField()
  @NestedList(() => RecipientDto, { max: 50 })
  recipients?: RecipientDto[] | null;

  /** Whom the buyer can ask: on the page, in the PDF and in the mail. */
  @OptionalField()
  @Nested(() => OfferContactDto)
  contactPerson?: OfferContactDto | null;
  @NotSupportedYet()
  purchaseOrderDocument?: unknown;

  @ReadOnly() id?: unknown;
  @ReadOnly() number?: unknown;
  @ReadOnly() status?: unknown;
  @ReadOnly() issuedAt?: unknown;
  @ReadOnly() signed?: unknown;
  @ReadOnly() signedAt?: unknown;
  @ReadOnly() capturedInvoiceDetails?: unknown;
  @ReadOnly() publishedVersionHash?: unknown;
  @ReadOnly() currentVersionHash?: unknown;
  @ReadOnly() hasUnpublishedChanges?: unknown;
  @ReadOnly() auditLogDocument?: unknown;
  @ReadOnly() signedDocument?: unknown;
  @ReadOnly() createdAt?: unknown;
  @ReadOnly() updatedAt?: unknown;
  @ReadOnly() totals?: unknown;
  @ReadOnly() recurring?: unknown;
  @ReadOnly() items?: unknown;
  @ReadOnly() sale?: unknown;
  @ReadOnly() approval?: unknown;
}

/** Why. */
export class ApprovalDto {
  @OptionalField() @IsString() @Length(1, 1000) comment?: string | null;
}
export class RejectionDto {
  @RequiredField() @IsString() @Length(1, 1000) @Matches(/\S/) comment!: string;
}

export class ExtendOfferDto {
  @RequiredField()
  @InstantString()
  validUntil!: string;
}
