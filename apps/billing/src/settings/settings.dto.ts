import {
  BodyExample,
  Describe,
  FieldCheck,
  LeitwegIdField,
  Nested,
  OptionalField,
  OptionalNotNullField,
  Uuid,
} from '@kontor/service-kit';
import { OFFER_BOUNDS } from '@kontor/contracts';
import { boundTemplates, hasAtMost } from '@kontor/kernel';
import { ArrayMaxSize, IsArray, IsBoolean, IsEmail, IsIn, IsInt, Max, Min } from 'class-validator';
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import { Liquid } from 'liquidjs';
import { holdsPicture } from '../domain/settings/holds-picture.js';
import { refusesNumberFormat } from '../domain/settings/number-format.js';
import { CountryField, TextField, TimeZoneField } from '../fields.js';

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };

const Flag = () => IsBoolean();
const Whole = (min: number, max: number) => all(IsInt(), Min(min), Max(max));

const liquid = boundTemplates(new Liquid());
const isLiquid = (text: unknown): boolean => {
  if (typeof text !== 'string' || !hasAtMost(text, 2000)) return false;
  try {
    liquid.parse(text);
    return true;
  } catch {
    return false;
  }
};
const LiquidField = () =>
  FieldCheck({
    code: 'invalid_template',
    message: 'must be a Liquid template',
    types: ['string'],
    schema: { format: 'liquid', maxLength: 2000 },
    holds: isLiquid,
  });

const NumberFormatField = () =>
  all(
    OptionalField(),
    FieldCheck({
      code: 'invalid_number_format',
      message: 'must contain {year} and {seq} or {seq:5}, each once, and up to 24 plain characters',
      types: ['string'],
      schema: { format: 'number-format', maxLength: 40, examples: ['RE-{year}-{seq:5}'] },
      holds: (value) => typeof value === 'string' && refusesNumberFormat(value) === undefined,
    }),
  );

const IbanField = () =>
  FieldCheck({
    code: 'invalid_iban',
    message: 'must be an IBAN',
    types: ['string'],
    schema: { format: 'iban', maxLength: 42 },
    holds: (value) => typeof value === 'string' && value.length <= 42 && isValidIBAN(electronicFormatIBAN(value) ?? ''),
  });
const BicField = () =>
  FieldCheck({
    code: 'invalid_bic',
    message: 'must be a BIC',
    types: ['string'],
    schema: { format: 'bic', maxLength: 11 },
    holds: (value) => typeof value === 'string' && isValidBIC(value),
  });
/** @see EPC262-08: country, check digits, business code, national identifier */
const CreditorIdentifierField = () =>
  FieldCheck({
    code: 'invalid_creditor_identifier',
    message: 'must be a SEPA creditor identifier',
    types: ['string'],
    schema: { pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$' },
    holds: (value) => typeof value === 'string' && /^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(value),
  });

/** Settings that a customer may override as well. */
export class OverridableSettingsDto {
  @OptionalField() @Whole(0, 365) paymentTermDays?: number | null;
  @OptionalField() @Flag() manualApproval?: boolean | null;
  @OptionalField() @Flag() createZeroInvoices?: boolean | null;
  @OptionalField() @Flag() @Describe('Without effect while the feature WalletTopUp is off.') creditOverpayments?:
    boolean | null;
  @OptionalField() @Flag() @Describe('Without effect while the feature WalletTopUp is off.') applyCreditAutomatically?:
    boolean | null;
  @OptionalField() @Flag() dunningEnabled?: boolean | null;
  @OptionalField() @Flag() usageBreakdownLink?: boolean | null;
  @OptionalField() @Flag() paymentQrCode?: boolean | null;
  @OptionalField() @Flag() billingDisabled?: boolean | null;
  @OptionalField() @Whole(0, 720) usageGraceHours?: number | null;
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(10)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(90, { each: true })
  paymentRetryDays?: number[] | null;
  @OptionalField() @Whole(0, 30) preNotificationDays?: number | null;
  @OptionalField() @Whole(1, 36_500) creditExpiryDays?: number | null;
  @OptionalField() @LiquidField() positionGroupNameTemplate?: string | null;
  @OptionalField() @Flag() eInvoiceEnabled?: boolean | null;
  @OptionalField() @IsIn(['factorx', 'zugferd211']) eInvoiceType?: 'factorx' | 'zugferd211' | null;
}

@BodyExample({ paymentTermDays: 30 })
export class CustomerSettingsDto extends OverridableSettingsDto {
  @OptionalField() @TimeZoneField() timeZone?: string | null;
  @OptionalField()
  @LeitwegIdField()
  @Describe('Of a German authority: all of its invoices are XRechnungen that name it, those of runs, too.')
  leitwegId?: string | null;
  @OptionalField()
  @TextField({ max: 100 })
  @Describe('What the customer wants its invoices to name as its reference (BT-10).')
  buyerReference?: string | null;
}

export class DunningInterestDto {
  @OptionalField()
  @Flag()
  @Describe(
    'Dunning letters claim statutory interest: base rate + 9 points from businesses, + 5 from others (§ 288 BGB).',
  )
  enabled?: boolean | null;
}

export class CustomPdfRenderingDto {
  @OptionalField() @Flag() enabled?: boolean | null;
  @OptionalField() @Flag() embedXml?: boolean | null;
  @OptionalField() @Flag() fallback?: boolean | null;
  @OptionalField() @Whole(1, 1440) timeoutMinutes?: number | null;
}

export class NumberFormatsDto {
  @NumberFormatField() TYPE_INVOICE?: string | null;
  @NumberFormatField() TYPE_CREDIT?: string | null;
  @NumberFormatField() TYPE_REFUND?: string | null;
  @NumberFormatField() TYPE_REMINDER?: string | null;
  @NumberFormatField() TYPE_CANCEL?: string | null;
  @NumberFormatField() TYPE_DUNNING?: string | null;
}

export class SellerAddressDto {
  @OptionalField() @TextField({ blank: true }) street?: string | null;
  @OptionalField() @TextField({ blank: true, max: 30 }) houseNumber?: string | null;
  @OptionalField() @TextField({ blank: true, max: 20 }) zip?: string | null;
  @OptionalField() @TextField({ blank: true }) city?: string | null;
  @OptionalField() @TextField({ blank: true }) addition?: string | null;
  @OptionalField() @CountryField() countryCode?: string | null;
}

export class SellerBankAccountDto {
  @OptionalField() @TextField({ blank: true }) accountHolder?: string | null;
  @OptionalField() @IbanField() iban?: string | null;
  @OptionalField() @BicField() bic?: string | null;
  @OptionalField() @TextField({ blank: true }) bankName?: string | null;
}

export class SellerContactDto {
  @OptionalField() @TextField({ blank: true }) name?: string | null;
  @OptionalField() @IsEmail() email?: string | null;
  @OptionalField() @TextField({ blank: true, max: 50 }) phone?: string | null;
}

export class SellerDto {
  @OptionalField() @TextField({ blank: true }) company?: string | null;
  @OptionalNotNullField() @Nested(() => SellerAddressDto) address?: SellerAddressDto;
  @OptionalField() @TextField({ blank: true, max: 50 }) taxNumber?: string | null;
  @OptionalField() @TextField({ blank: true, max: 20 }) vatId?: string | null;
  @OptionalNotNullField() @Nested(() => SellerBankAccountDto) bankAccount?: SellerBankAccountDto;
  @OptionalField() @CreditorIdentifierField() creditorIdentifier?: string | null;
  @OptionalField()
  @TextField({ blank: true, max: 300 })
  @Describe('Register, managing directors (§ 35a GmbHG): in the footer of documents, each line as it is.')
  registration?: string | null;
  @OptionalNotNullField() @Nested(() => SellerContactDto) contact?: SellerContactDto;
}

/** With a name of the public DNS. */
const WEB_ADDRESS = '^https://([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}(:[1-9][0-9]{0,3})?([/?#]\\S*)?$';
const isWebAddress = new RegExp(WEB_ADDRESS);

const WebAddress = () =>
  FieldCheck({
    code: 'invalid_url',
    message: 'must be an address like https://example.com/terms',
    types: ['string'],
    schema: { format: 'uri', maxLength: 2000, pattern: WEB_ADDRESS },
    holds: (value) =>
      typeof value === 'string' && value.length <= 2000 && isWebAddress.test(value) && URL.canParse(value),
  });

/** With the bytes by which such files begin; within an SVG anything may come before its element. */
const LOGO =
  /^data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|webp;base64,UklGR|svg\+xml;base64,)[A-Za-z0-9+/]*={0,2}$/;
/** All of it is part of each page, which is to be there at once. */
const MAX_LOGO = 24_000;

export class CheckoutSettingsDto {
  @OptionalField() @WebAddress() @Describe('Terms and conditions.') termsUrl?: string | null;
  @OptionalField() @WebAddress() @Describe('What is done with personal data.') privacyUrl?: string | null;
  @OptionalField() @WebAddress() @Describe('How consumers withdraw (Art. 246a EGBGB).') withdrawalUrl?: string | null;
  @OptionalField() @WebAddress() @Describe('Who the seller is (§ 5 DDG).') imprintUrl?: string | null;
  @OptionalField()
  @FieldCheck({
    code: 'invalid_logo',
    message: 'must be a whole PNG (no animation), JPEG, WebP or SVG as a data address of at most 24,000 characters',
    types: ['string'],
    schema: { format: 'picture', maxLength: MAX_LOGO },
    holds: (value) => typeof value === 'string' && value.length <= MAX_LOGO && LOGO.test(value) && holdsPicture(value),
  })
  @Describe(
    '`data:image/png;base64,…`, a whole picture (no animation): part of the pages, which load nothing from elsewhere. PNG and JPEG are on documents, too.',
  )
  logo?: string | null;
  @OptionalField()
  @FieldCheck({
    code: 'invalid_color',
    message: 'must be a colour such as #1a4a87',
    types: ['string'],
    schema: { pattern: '^#[0-9a-fA-F]{6}$' },
    holds: (value) => typeof value === 'string' && /^#[0-9a-fA-F]{6}$/.test(value),
  })
  @Describe('Of buttons, links and documents.')
  accentColor?: string | null;
}

export class OfferSettingsDto {
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(OFFER_BOUNDS.approvers)
  @Uuid({ each: true })
  @Describe(
    'Ids of users: each of them has to approve an offer before it is published. Looked up when approval is requested. Empty: nobody has to.',
  )
  approvers?: string[] | null;
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(OFFER_BOUNDS.reminders)
  @IsInt({ each: true })
  @Min(OFFER_BOUNDS.reminderDays.min, { each: true })
  @Max(OFFER_BOUNDS.reminderDays.max, { each: true })
  @Describe('So many days before `validUntil` recipients who have not signed are reminded, once each.')
  reminderDays?: number[] | null;
}

/**
 * Body of `PUT /settings/billing`: only supplied fields change; null sets one back to its default, and is refused for
 * objects.
 */
@BodyExample({ paymentTermDays: 30, manualApproval: false })
export class BillingSettingsDto extends OverridableSettingsDto {
  @OptionalField() @Whole(30, 3650) usageRetentionDays?: number | null;
  @OptionalNotNullField() @Nested(() => CustomPdfRenderingDto) customPdfRendering?: CustomPdfRenderingDto;
  @OptionalNotNullField() @Nested(() => DunningInterestDto) dunningInterest?: DunningInterestDto;
  @OptionalField()
  @Flag()
  @Describe('Dunning letters claim 40 € from businesses, once an invoice (§ 288 (5) BGB).')
  dunningLumpSum?: boolean | null;
  @OptionalNotNullField() @Nested(() => NumberFormatsDto) numberFormats?: NumberFormatsDto;
  @OptionalField() @Flag() oss?: boolean | null;
  @OptionalField() @Flag() smallBusiness?: boolean | null;
  @OptionalNotNullField() @Nested(() => CheckoutSettingsDto) checkout?: CheckoutSettingsDto;
  @OptionalNotNullField() @Nested(() => OfferSettingsDto) offers?: OfferSettingsDto;
  @OptionalNotNullField() @Nested(() => SellerDto) seller?: SellerDto;
}
