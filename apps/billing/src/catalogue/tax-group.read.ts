import { EU_COUNTRIES, euVatRates, type TaxGroupRate, type VatRate } from '@kontor/tax';
import { v5 } from 'uuid';
import type { OwnTaxRate, TaxGroupRow, TaxGroupType } from '../db/catalogue.row.js';
import type { TaxGroupJson } from './catalogue.schema.js';

/** Names the rates of this table, so that the same rate has the same id for every tenant and for ever. */
const NAMESPACE = 'b3c1f0a2-6a3d-4c8e-9a55-2f6f6d0c7a11';
/** Zero-rated supplies exist for as long as the rate table reaches back. */
const SINCE = '2010-01-01';

const toTax = ({ countryCode, kind, rate, validFrom }: Omit<VatRate, 'kind'> & { kind: string }): TaxGroupRate => ({
  id: v5(`${countryCode} ${kind} ${validFrom}`, NAMESPACE),
  code: `${countryCode}-${kind.toUpperCase()}-${rate}`,
  rate,
  description: `${rate} % VAT (${countryCode}, ${kind})`,
  countryCode,
  validFrom,
});

const ratesOf = (kind: VatRate['kind']): TaxGroupRate[] =>
  euVatRates()
    .filter((rate) => rate.kind === kind)
    .map(toTax);

/** The dated rates of member states follow from the group's type: the law defines them, they are not editable. */
const TAXES: Readonly<Record<TaxGroupType, readonly TaxGroupRate[]>> = {
  standard: ratesOf('standard'),
  reduced: ratesOf('reduced'),
  zero: EU_COUNTRIES.map((countryCode) => toTax({ countryCode, kind: 'zero', rate: '0', validFrom: SINCE })),
  exempt: [],
};

export const lawfulRates = (type: TaxGroupType): readonly TaxGroupRate[] => TAXES[type];

/** A rate that the tenant has added. */
const addedTax = (groupId: string, added: OwnTaxRate): TaxGroupRate => ({
  id: v5(`${groupId} ${added.countryCode} ${added.validFrom}`, NAMESPACE),
  code: added.code ?? `${added.countryCode}-${added.rate}`,
  rate: added.rate,
  description: added.description ?? `${added.rate} % VAT (${added.countryCode})`,
  countryCode: added.countryCode,
  validFrom: added.validFrom,
});

/** A tax group as GET answers it, with its dated rates: of all member states, and those that were added. */
export const representTaxGroup = (group: TaxGroupRow): TaxGroupJson => ({
  id: group.id,
  internalDescription: group.internalDescription,
  type: group.type,
  reverseChargeType: group.reverseChargeType,
  status: group.status,
  taxes: [...TAXES[group.type], ...group.taxes.map((tax) => addedTax(group.id, tax))],
  createdAt: group.createdAt.toISOString(),
  updatedAt: group.updatedAt.toISOString(),
});
