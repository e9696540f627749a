import { BodyExample, CurrencyCode, Describe, OptionalField, ReadOnly, StringMap, Uuid } from '@kontor/service-kit';
import { IsEmail, IsIn, ValidateIf } from 'class-validator';
import type { AddressType } from '../db/customer-address.row.js';
import { INVOICES_TO, type InvoicesTo } from '../db/customer.row.js';
import { LANGUAGES } from '@kontor/kernel';
import { CountryField, TextField } from '../fields.js';
import type { AddressInput, CustomerInput } from './customer-input.js';

/** Absent, null and blank text mean the same: not given. */
const Given = () => ValidateIf((_, value: unknown) => value !== undefined && value !== null && value !== '');

class CustomerFieldsDto {
  @ReadOnly() id?: string;
  @ReadOnly() status?: string;
  @ReadOnly() timeZone?: string;
  @ReadOnly() vatIdStatus?: string;
  @ReadOnly() parentCustomerId?: string;
  @ReadOnly() invoicesTo?: string;
  @ReadOnly() mergedIntoCustomerId?: string;
  @ReadOnly() customerGroupId?: string;
  @ReadOnly() addresses?: unknown;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;

  @IsEmail() email!: string;
  @OptionalField() @TextField({ min: 2, blank: true }) @Describe('Generated when absent.') customerNumber?:
    string | null;
  @OptionalField() @TextField({ blank: true }) externalId?: string | null;
  @OptionalField() @TextField({ min: 2, blank: true }) companyName?: string | null;
  @OptionalField() @TextField({ min: 2, blank: true }) firstName?: string | null;
  @OptionalField() @TextField({ min: 2, blank: true }) lastName?: string | null;
  @Given() @IsEmail() invoiceEmail?: string | null;
  @OptionalField() @TextField({ blank: true, max: 50 }) phone?: string | null;
  @OptionalField() @TextField({ blank: true, max: 30 }) vatId?: string | null;
  @Given() @CountryField() @Describe('DE when absent.') countryCode?: string | null;
  @Given() @CurrencyCode() @Describe("The tenant's currency when absent.") currencyCode?: string | null;
  @OptionalField() @TextField({ blank: true }) street?: string | null;
  @OptionalField() @TextField({ blank: true, max: 30 }) houseNumber?: string | null;
  @OptionalField() @TextField({ blank: true, max: 20 }) zip?: string | null;
  @OptionalField() @TextField({ blank: true }) city?: string | null;
  @OptionalField() @TextField({ blank: true }) addition?: string | null;
  @OptionalField() @StringMap() customFields?: Record<string, string> | null;
  @OptionalField() @TextField({ min: 2, blank: true }) accountingSystemId?: string | null;
}

/** Body of `POST /customers`. */
@BodyExample({
  email: 'rechnung@backhaus-elbe.example',
  companyName: 'Backhaus Elbe GmbH',
  street: 'Elbchaussee',
  houseNumber: '12',
  zip: '22765',
  city: 'Hamburg',
})
export class CreateCustomerDto extends CustomerFieldsDto implements CustomerInput {
  @OptionalField()
  @IsIn(LANGUAGES)
  @Describe('Derived from countryCode when absent: de for DE, AT and CH, else en.')
  language?: 'de' | 'en' | null;
}

/** Body of `PUT /customers/{id}`: replaces; `language` must be there. */
@BodyExample({ email: 'rechnung@backhaus-elbe.example', companyName: 'Backhaus Elbe GmbH', language: 'de' })
export class ReplaceCustomerDto extends CustomerFieldsDto implements CustomerInput {
  @IsIn(LANGUAGES) language!: 'de' | 'en';
}

const TYPES = ['TYPE_DEFAULT', 'TYPE_INVOICE'] as const;
const SALUTATIONS = ['Firma', 'Herr', 'Frau'] as const;

/** Body of an address. */
@BodyExample({
  type: 'TYPE_INVOICE',
  companyName: 'Backhaus Elbe GmbH',
  street: 'Elbchaussee',
  houseNumber: '12',
  zip: '22765',
  city: 'Hamburg',
  countryCode: 'DE',
})
export class AddressDto implements AddressInput {
  @ReadOnly() id?: string;
  @ReadOnly() default?: boolean;

  @OptionalField() @IsIn(TYPES) type?: AddressType | null;
  @OptionalField() @IsIn(['active', 'archived']) status?: 'active' | 'archived' | null;
  @OptionalField() @TextField({ blank: true }) companyName?: string | null;
  @Given() @IsIn(SALUTATIONS) salutation?: (typeof SALUTATIONS)[number] | null;
  @OptionalField() @TextField({ blank: true }) firstName?: string | null;
  @OptionalField() @TextField({ blank: true }) lastName?: string | null;
  @OptionalField() @TextField({ blank: true }) street?: string | null;
  @OptionalField() @TextField({ blank: true, max: 30 }) houseNumber?: string | null;
  @OptionalField() @TextField({ blank: true, max: 20 }) zip?: string | null;
  @OptionalField() @TextField({ blank: true }) city?: string | null;
  @OptionalField() @TextField({ blank: true }) addition?: string | null;
  @Given() @CountryField() @Describe("The customer's country when absent.") countryCode?: string | null;
  @OptionalField() @TextField({ blank: true, max: 30 }) vatId?: string | null;
  @OptionalField() @TextField({ blank: true }) costCentre?: string | null;
}

export class SetParentDto {
  @Uuid() parentCustomerId!: string;
  @OptionalField()
  @IsIn(INVOICES_TO)
  @Describe('Who gets the invoices: `self` (default), or `parent`, on whose invoices its lines are a group.')
  invoicesTo?: InvoicesTo | null;
}

export class ChoosePaymentMethodDto {
  @Uuid() paymentMethodId!: string;
}
