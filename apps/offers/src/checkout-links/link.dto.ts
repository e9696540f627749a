import {
  BodyExample,
  DecimalString,
  Describe,
  exampleIdOf,
  InstantString,
  Nested,
  NestedList,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

/** A price plan, or a plan; one of the two. */
export class CartItemDto {
  @OptionalField() @Uuid() pricePlan?: string | null;
  @OptionalField() @Uuid() plan?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999', scale: 9 }) quantity?: string | null;
  @ReadOnly() id?: unknown;
}

export class LinkOptionsDto {
  @OptionalField() @IsInt() @Min(0) @Max(3650) trialDays?: number | null;
  @OptionalField() @IsBoolean() @Describe('Default: true.') allowCoupons?: boolean | null;
  @OptionalField() @IsBoolean() @Describe('Default: false.') quantityEditable?: boolean | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999', scale: 9 }) minQuantity?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999', scale: 9 }) maxQuantity?: string | null;
  @OptionalField() @IsBoolean() @Describe('Only companies can buy. Default: false.') forceCompany?: boolean | null;
}

export class AfterCheckoutDto {
  @OptionalField()
  @IsString()
  @Length(1, 2000)
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  @Describe('Where buyers go on; the only address to which a cart of the link leads.')
  url?: string | null;
  @OptionalField() @IsString() @Length(1, 2000) confirmationMessage?: string | null;
}

export class AskedFieldDto {
  @RequiredField()
  @IsString()
  @Matches(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/)
  @Describe('Where the subscription has a custom field of this key, it gets the answer.')
  key!: string;
  @OptionalField() @IsString() @Length(1, 255) @Describe('For people; the key when absent.') label?: string | null;
  @OptionalField() @IsBoolean() @Describe('Default: false.') required?: boolean | null;
}

const ORIGIN = { protocols: ['https', 'http'], require_protocol: true, require_tld: false };

@BodyExample({
  slug: 'team',
  name: 'Team',
  items: [{ plan: exampleIdOf('plan'), quantity: '1' }],
  options: { trialDays: 14, allowCoupons: true },
})
export class CheckoutLinkDto {
  @OptionalField()
  @IsString()
  @Length(1, 80)
  @Matches(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  @Describe('Readable part of the address, unique; made up when absent.')
  slug?: string | null;
  @OptionalField() @IsString() @Length(1, 255) name?: string | null;
  @RequiredField() @NestedList(() => CartItemDto, { min: 1, max: 50 }) items!: CartItemDto[];
  @OptionalField() @Nested(() => LinkOptionsDto) options?: LinkOptionsDto | null;
  @OptionalField() @Nested(() => AfterCheckoutDto) afterCheckout?: AfterCheckoutDto | null;
  @OptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(2)
  @ArrayUnique()
  @IsIn(['de', 'en'], { each: true })
  @Describe('Of its pages; the first one where the buyer prefers none of them. Default: both.')
  languages?: ('de' | 'en')[] | null;
  @OptionalField()
  @NestedList(() => AskedFieldDto, { max: 20 })
  @Describe('What the page asks for beside who buys.')
  customFields?: AskedFieldDto[] | null;
  @OptionalField()
  @IsString()
  @Length(1, 2000)
  @IsUrl(ORIGIN)
  @Describe('Instead of the setting `checkout.termsUrl`.')
  termsUrl?: string | null;
  @OptionalField()
  @IsString()
  @Length(1, 2000)
  @IsUrl(ORIGIN)
  @Describe('Instead of the setting `checkout.privacyUrl`.')
  privacyUrl?: string | null;
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(300, { each: true })
  @IsUrl(ORIGIN, { each: true })
  @Describe('Origins, beside that of `afterCheckout.url`, to which a buyer may be led from a provider.')
  redirectOrigins?: string[] | null;
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(300, { each: true })
  @IsUrl(ORIGIN, { each: true })
  @Describe('Origins that may show the pages in a frame. Default: none.')
  embedOrigins?: string[] | null;
  @OptionalField()
  @IsBoolean()
  @Describe('Whether a buyer who gave an e-mail address and leaves is reminded once. Default: false.')
  sendReminder?: boolean | null;
  @OptionalField() @IsInt() @Min(1) @Max(1_000_000_000) maxSales?: number | null;
  @OptionalField() @InstantString() enabledFrom?: string | null;
  @OptionalField() @InstantString() enabledUntil?: string | null;
  @OptionalField() @IsBoolean() isEnabled?: boolean | null;
  @ReadOnly() id?: unknown;
  @ReadOnly() url?: unknown;
  @ReadOnly() state?: unknown;
  @ReadOnly() sold?: unknown;
  @ReadOnly() createdAt?: unknown;
  @ReadOnly() updatedAt?: unknown;
}
