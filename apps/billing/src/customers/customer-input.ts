import { DomainError, validationFailed, type Violation } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { isCurrency } from '@kontor/money';
import { invalidRequest } from '@kontor/service-kit';
import { CustomFieldRow } from '../db/settings.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import type { AddressType } from '../db/customer-address.row.js';
import { normalizeVatId } from '../domain/customers/vat-id.js';
import { customFieldViolations } from '../domain/settings/custom-fields.js';

type Optional = string | null | undefined;

/** What `POST /customers` and `PUT /customers/{id}` take. Absent and null mean the default. */
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

/** Text without surrounding blanks; nothing left is null. */
export const textOrNull = (value: Optional): string | null => value?.trim() || null;

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
 * Refuses bodies that say too little (a name is missing) or name what was not configured.
 * @throws DomainError 400 `invalid_request`, 422 `validation_failed`
 */
export async function checkCustomerInput(tx: TenantTx, input: CustomerInput): Promise<void> {
  if (!textOrNull(input.companyName) && !(textOrNull(input.firstName) && textOrNull(input.lastName))) {
    const message = 'A customer has a companyName, or a firstName and a lastName.';
    throw invalidRequest(message, [{ propertyPath: 'companyName', message, code: 'required' }]);
  }
  const currency = textOrNull(input.currencyCode);
  if (currency !== null && !isCurrency(currency)) throw validationFailed('currencyCode', `"${currency}" is not a currency.`);
  refuse(await violationsOfCustomFields(tx, 'customer', input.customFields ?? null));
}

/** What the tenant's configuration of custom fields says against the values of one object. */
export async function violationsOfCustomFields(
  tx: TenantTx,
  object: CustomFieldRow['object'],
  values: Readonly<Record<string, string>> | null,
): Promise<Violation[]> {
  const fields = await tx.manager.findBy(CustomFieldRow, { tenantId: tx.tenantId, object });
  return customFieldViolations(values, fields);
}

/** @throws DomainError `validation_failed` when there is a violation. */
export function refuse(violations: readonly Violation[]): void {
  const [first] = violations;
  if (first) throw new DomainError('validation_failed', { detail: first.message, violations });
}
