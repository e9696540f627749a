import { type Day, DomainError } from '@kontor/kernel';
import { compareDecimal, decimal } from '@kontor/money';
import type { TaxCategory } from './category.js';
import type { LegalNoteKey } from './legal-note.js';
import { isEuCountry } from './vat-rates.js';

/** A dated rate of a tax group, as `/tax-groups` shows it. */
export interface TaxGroupRate {
  readonly id: string;
  readonly code: string;
  /** Percent, decimal text. */
  readonly rate: string;
  readonly description: string | null;
  readonly countryCode: string;
  readonly validFrom: Day;
}

export interface TaxGroup {
  readonly id: string;
  readonly type: 'standard' | 'reduced' | 'zero' | 'exempt';
  readonly reverseChargeType: 'REVERSE_CHARGE_DEACTIVATED' | 'REVERSE_CHARGE' | 'REVERSE_CHARGE_INTRA_EU_SUPPLY';
  readonly taxes: readonly TaxGroupRate[];
}

/** The parties of a document, as far as the tax depends on them. */
export interface TaxParties {
  readonly sellerCountryCode: string;
  /** The seller is a small business (§ 19 UStG). */
  readonly smallBusiness: boolean;
  /** The seller declares distance sales in the one-stop shop: consumers pay the rate of their country. */
  readonly oss: boolean;
  /** Country of the invoice address: the place of supply. */
  readonly placeCountryCode: string;
  /** The recipient has a VAT id that is known to be valid. */
  readonly recipientVatIdValid: boolean;
}

export interface TaxedItem {
  readonly group: TaxGroup;
  /** Goods are taxed otherwise than services when they leave the Union. */
  readonly isGood: boolean;
  /** Last included day of the service period, else the day of finalization. */
  readonly suppliedOn: Day;
}

export interface TaxDecision {
  readonly category: TaxCategory;
  /** Percent, decimal text; `0` unless the category is S. */
  readonly rate: string;
  /** The group's rate that was applied; null where none was. */
  readonly tax: TaxGroupRate | null;
  readonly noteKey: LegalNoteKey | null;
}

const untaxed = (category: TaxCategory, noteKey: LegalNoteKey | null): TaxDecision => ({
  category,
  rate: '0',
  tax: null,
  noteKey,
});

/**
 * Decides category and rate of one line.
 * @throws DomainError `tax_rate_missing` when the group has no rate for the country that taxes the line on that day.
 * @see docs/rules/tax.md#place-of-supply; §§ 3a, 4, 13b, 19 UStG; Art. 44–59, 138, 146, 196 Directive 2006/112/EC
 */
export function decideTax(parties: TaxParties, item: TaxedItem): TaxDecision {
  const { group } = item;
  if (parties.smallBusiness) return untaxed('E', 'small_business');
  const domestic = sameCountry(parties.placeCountryCode, parties.sellerCountryCode);
  if (!domestic && !isEuCountry(parties.placeCountryCode)) {
    // A rate of a third country says that the seller is registered there.
    if (rateOn(group.taxes, parties.placeCountryCode, item.suppliedOn))
      return taxed(group, parties.placeCountryCode, item.suppliedOn);
    return item.isGood ? untaxed('G', 'export_of_goods') : untaxed('O', 'outside_scope');
  }
  if (group.type === 'exempt') return untaxed('E', 'exempt');
  if (!domestic && parties.recipientVatIdValid) {
    if (group.reverseChargeType === 'REVERSE_CHARGE') return untaxed('AE', 'reverse_charge');
    if (group.reverseChargeType === 'REVERSE_CHARGE_INTRA_EU_SUPPLY') return untaxed('K', 'intra_community_supply');
  }
  const atDestination = !domestic && parties.oss && !parties.recipientVatIdValid;
  return taxed(group, atDestination ? parties.placeCountryCode : parties.sellerCountryCode, item.suppliedOn);
}

function taxed(group: TaxGroup, countryCode: string, day: Day): TaxDecision {
  const tax = rateOn(group.taxes, countryCode, day);
  if (!tax) {
    if (group.type === 'zero') return untaxed('Z', null);
    throw new DomainError('tax_rate_missing', { detail: `The tax group has no rate for ${countryCode} on ${day}.` });
  }
  const positive = compareDecimal(decimal(tax.rate), decimal('0')) > 0;
  return { category: positive ? 'S' : 'Z', rate: positive ? tax.rate : '0', tax, noteKey: null };
}

/** The rate of a country that applies on a day: the latest one that has begun. */
export function rateOn(taxes: readonly TaxGroupRate[], countryCode: string, day: Day): TaxGroupRate | undefined {
  let found: TaxGroupRate | undefined;
  for (const tax of taxes) {
    if (!sameCountry(tax.countryCode, countryCode) || tax.validFrom > day) continue;
    if (!found || tax.validFrom > found.validFrom) found = tax;
  }
  return found;
}

export const sameCountry = (a: string, b: string): boolean => a === b || (isGreece(a) && isGreece(b));
const isGreece = (code: string): boolean => code === 'GR' || code === 'EL';
