import {
  DecimalString,
  Describe,
  InstantString,
  Nested,
  NestedList,
  OptionalField,
  ReadOnly,
  RequiredField,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsInt, IsString, IsUrl, Length, Matches, Max, Min } from 'class-validator';

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
  @OptionalField() @IsInt() @Min(1) @Max(1_000_000_000) maxSales?: number | null;
  @OptionalField() @InstantString() enabledFrom?: string | null;
  @OptionalField() @InstantString() enabledUntil?: string | null;
  @OptionalField() @IsBoolean() isEnabled?: boolean | null;
  @ReadOnly() id?: unknown;
  @ReadOnly() url?: unknown;
  @ReadOnly() sold?: unknown;
  @ReadOnly() createdAt?: unknown;
  @ReadOnly() updatedAt?: unknown;
}
