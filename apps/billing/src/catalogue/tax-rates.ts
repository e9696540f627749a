import { DomainError, type Violation } from '@kontor/kernel';
import { compareDecimal, decimal } from '@kontor/money';
import { EU_COUNTRIES } from '@kontor/tax';
import type { OwnTaxRate, TaxGroupType } from '../db/catalogue.row.js';
import { textOrNull } from '../fields.js';
import type { TaxDto } from './catalogue.dto.js';
import { lawfulRates } from './tax-group.read.js';

/**
 * The rates of a body that are the tenant's own: those of countries outside the Union in which it is registered. Rates of
 * member states follow from the type; they may be sent back as GET answers them.
 * @throws DomainError `validation_failed`
 */
export function ownRatesOf(type: TaxGroupType, taxes: readonly TaxDto[]): OwnTaxRate[] {
  const lawful = new Map(lawfulRates(type).map((tax) => [keyOf(tax), tax.rate]));
  const seen = new Set<string>();
  const violations: Violation[] = [];
  const rates: OwnTaxRate[] = [];
  taxes.forEach((tax, index) => {
    const refuse = (field: string, message: string, code: string): void => {
      violations.push({ propertyPath: `taxes[${index}].${field}`, message, code });
    };
    const key = keyOf(tax);
    const fixed = lawful.get(key);
    if (fixed !== undefined && sameRate(fixed, tax.rate)) return;
    if (isMember(tax.countryCode))
      return refuse('countryCode', 'Rates of member states follow from the type of the tax group.', 'fixed');
    if (type === 'exempt' || (type === 'zero' && !sameRate(tax.rate, '0')))
      return refuse('rate', `A tax group of type ${type} charges no tax.`, 'not_applicable');
    if (seen.has(key)) return refuse('validFrom', 'A country has one rate from a day on.', 'duplicate');
    seen.add(key);
    const { countryCode, rate, validFrom } = tax;
    rates.push({ countryCode, rate, validFrom, code: textOrNull(tax.code), description: textOrNull(tax.description) });
  });
  if (violations[0]) throw new DomainError('validation_failed', { detail: violations[0].message, violations });
  return rates;
}

const keyOf = ({ countryCode, validFrom }: Pick<OwnTaxRate, 'countryCode' | 'validFrom'>): string =>
  `${countryCode} ${validFrom}`;
const sameRate = (a: string, b: string): boolean => compareDecimal(decimal(a), decimal(b)) === 0;
const isMember = (countryCode: string): boolean => countryCode === 'EL' || EU_COUNTRIES.includes(countryCode);
