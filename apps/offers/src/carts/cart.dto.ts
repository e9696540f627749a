import {
  BodyExample,
  DecimalString,
  Describe,
  exampleIdOf,
  FreeObject,
  MoneyDto,
  Nested,
  NestedList,
  OptionalField,
  ReadOnly,
  RequiredField,
  StringMap,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsEmail, IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import { AfterCheckoutDto, CartItemDto } from '../checkout-links/link.dto.js';

/** Who buys, and where the invoices go. */
export class BuyerAddressDto {
  @OptionalField() @IsString() @Length(2, 255) companyName?: string | null;
  @OptionalField() @IsIn(['Firma', 'Herr', 'Frau']) salutation?: string | null;
  @OptionalField() @IsString() @Length(2, 255) firstName?: string | null;
  @OptionalField() @IsString() @Length(2, 255) lastName?: string | null;
  @OptionalField() @IsString() @Length(1, 255) street?: string | null;
  @OptionalField() @IsString() @Length(1, 30) houseNumber?: string | null;
  @OptionalField() @IsString() @Length(1, 20) zip?: string | null;
  @OptionalField() @IsString() @Length(1, 255) city?: string | null;
  @OptionalField() @IsString() @Length(1, 255) addition?: string | null;
  @OptionalField() @Matches(/^[A-Z]{2}$/) @Describe('ISO 3166. Default: DE.') countryCode?: string | null;
  @OptionalField() @IsString() @Length(1, 30) vatId?: string | null;
  @OptionalField() @IsString() @Length(1, 255) costCentre?: string | null;
  @OptionalField() @IsIn(['TYPE_DEFAULT', 'TYPE_INVOICE']) type?: string | null;
}

@BodyExample({
  items: [{ pricePlan: exampleIdOf('pricePlan'), quantity: '2' }],
  customerEmail: 'rechnung@backhaus-elbe.example',
  invoiceAddress: {
    companyName: 'Backhaus Elbe GmbH',
    street: 'Elbchaussee',
    houseNumber: '12',
    zip: '22765',
    city: 'Hamburg',
    countryCode: 'DE',
  },
})
export class NewCartDto {
  @RequiredField() @NestedList(() => CartItemDto, { min: 1, max: 50 }) items!: CartItemDto[];
  @OptionalField() @Uuid() @Describe('Whose cart it is; without one the buyer becomes a customer.') customer?:
    string | null;
  @OptionalField() @IsEmail() @MaxLength(320) customerEmail?: string | null;
  @OptionalField() @Nested(() => BuyerAddressDto) invoiceAddress?: BuyerAddressDto | null;
  @OptionalField() @IsString() @Length(1, 100) couponCode?: string | null;
  @OptionalField() @StringMap() metadata?: Record<string, string> | null;
  @OptionalField() @Nested(() => AfterCheckoutDto) afterCheckout?: AfterCheckoutDto | null;
}

/** A cart by a link: the link has the items. */
export class LinkCartDto {
  @OptionalField() @Uuid() customer?: string | null;
  @OptionalField() @IsEmail() @MaxLength(320) customerEmail?: string | null;
  @OptionalField() @IsString() @Length(1, 100) couponCode?: string | null;
  @OptionalField() @StringMap() metadata?: Record<string, string> | null;
}

export class ChangeQuantityDto {
  @RequiredField() @Uuid() @Describe("The item's id, or its price plan's.") item!: string;
  @RequiredField() @DecimalString({ min: '0', max: '999999999', scale: 9 }) quantity!: string;
}

export class CartCouponDto {
  @OptionalField() @IsString() @Length(1, 100) @Describe('Null or absent: none.') couponCode?: string | null;
}

export class VatIdCheckDto {
  @OptionalField() @IsString() @Length(1, 30) @Describe('Null or absent: none.') vatId?: string | null;
}

export class ConfirmCartDto {
  @OptionalField() @IsEmail() @MaxLength(320) @Describe('Required unless the cart has a customer.') email?:
    string | null;
  @OptionalField() @IsString() @Length(1, 50) @Describe('Required unless the cart has a customer.') phone?:
    string | null;
  @OptionalField() @Nested(() => BuyerAddressDto) newInvoiceAddress?: BuyerAddressDto | null;
  @OptionalField() @Uuid() invoiceAddressId?: string | null;
  @OptionalField()
  @FreeObject()
  @Describe('As in POST /payment-methods, without customerId.')
  newPaymentMethod?: Record<string, unknown> | null;
  @OptionalField() @Uuid() paymentMethodId?: string | null;
  @OptionalField() @IsString() @Length(1, 50) @Describe('Short for newPaymentMethod with this gateway.') gateway?:
    string | null;
  @OptionalField()
  @Nested(() => MoneyDto)
  @Describe('What was shown: another total is refused (422 `total_changed`). Default: what the cart shows.')
  expectedTotal?: MoneyDto | null;
  @OptionalField() @IsBoolean() acceptedTerms?: boolean | null;
  @OptionalField()
  @StringMap()
  @Describe('Answers to what the link asks for.')
  customFields?: Record<string, string> | null;
  @ReadOnly() id?: unknown;
}

export class PrepareMethodDto {
  @RequiredField()
  @FreeObject()
  @Describe('As in POST /payment-methods, without customerId.')
  newPaymentMethod!: Record<string, unknown>;
}
