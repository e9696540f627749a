import { normalizeVatId, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { isCurrency } from '@kontor/money';
import { invalidRequest } from '@kontor/service-kit';
import type { CustomerRow } from '../db/customer.row.js';
import type { CustomFieldRow } from '../db/settings.row.js';
import * as tables from '../db/tables.js';
import type { AddressType } from '../db/customer-address.row.js';
import { customFieldViolations } from '../domain/settings/custom-fields.js';
import { textOrNull } from '../fields.js';
import { refuse } from '../settings/check-custom-fields.js';

type Optional = string | null | undefined;

/** Input of `POST /customers` and `PUT /customers/{id}`. Absent and null mean the default. */
export interface CustomerInput {
  readonly email: string;
  readonly customerNumber?: string | null;
  readonly externalId?: string | null;
  readonly companyName?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly invoiceEmail?: string | null;
  readonly phone?: string | null;
  readonly vatId?: string | null;
  readonly countryCode?: string | null;
  readonly language?: string | null;
  readonly currencyCode?: string | null;
  readonly street?: string | null;
  readonly houseNumber?: string | null;
  readonly zip?: string | null;
  readonly city?: string | null;
  readonly addition?: string | null;
  readonly customFields?: Record<string, string> | null;
  readonly accountingSystemId?: string | null;
}

/** What an address is created and replaced with. */
export interface AddressInput {
  readonly type?: AddressType | null;
  readonly status?: 'active' | 'archived' | null;
  readonly companyName?: string | null;
  readonly salutation?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly street?: string | null;
  readonly houseNumber?: string | null;
  readonly zip?: string | null;
  readonly city?: string | null;
  readonly addition?: string | null;
  readonly countryCode?: string | null;
  readonly vatId?: string | null;
  readonly costCentre?: string | null;
}

export const DEFAULT_COUNTRY = 'DE';

/** The columns that a body sets directly. The rest (number, language, VAT status) needs more than the body. */
export const ownFields = (input: CustomerInput, tenantCurrency: string) =>
  ({
    externalId: textOrNull(input.externalId),
    email: input.email.trim(),
    invoiceEmail: textOrNull(input.invoiceEmail),
    phone: textOrNull(input.phone),
    companyName: textOrNull(input.companyName),
    firstName: textOrNull(input.firstName),
    lastName: textOrNull(input.lastName),
    countryCode: textOrNull(input.countryCode) ?? DEFAULT_COUNTRY,
    currencyCode: textOrNull(input.currencyCode) ?? tenantCurrency,
    vatId: normalizedVatId(input.vatId),
    accountingSystemId: textOrNull(input.accountingSystemId),
    customFields: input.customFields ?? null,
  }) satisfies Partial<CustomerRow>;

export const normalizedVatId = (vatId: Optional): string | null => {
  const text = textOrNull(vatId);
  return text === null ? null : normalizeVatId(text) || null;
};

/**
 * Refuses bodies without a name, with an unknown currency or with custom fields that are not configured.
 * @throws DomainError 400 `invalid_request`, 422 `validation_failed`
 */
export function checkCustomerInput(input: CustomerInput, customFields: readonly CustomFieldRow[]): void {
  if (!textOrNull(input.companyName) && !(textOrNull(input.firstName) && textOrNull(input.lastName))) {
    const message = 'companyName, or firstName and lastName, is required.';
    throw invalidRequest(message, [{ propertyPath: 'companyName', message, code: 'required' }]);
  }
  const currency = textOrNull(input.currencyCode);
  if (currency !== null && !isCurrency(currency))
    throw validationFailed('currencyCode', `"${currency}" is not a currency.`);
  refuse(customFieldViolations(input.customFields ?? null, customFields));
}

/** The custom fields that the tenant has defined for customers. */
export const customFieldsOfCustomers = (tx: TenantTx): Promise<CustomFieldRow[]> =>
  tables.customFields.find(tx, { object: 'customer' });
