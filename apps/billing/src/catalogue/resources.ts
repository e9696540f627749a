import { isDeepStrictEqual } from 'node:util';
import { DomainError, validationFailed } from '@kontor/kernel';
import * as tables from '../db/tables.js';
import type { BillingGroupRow, MeasurementRow, ProductFamilyRow, TaxGroupRow, UnitRow } from '../db/catalogue.row.js';
import { textOrNull } from '../fields.js';
import type { BillingGroupDto, MeasurementDto, ProductFamilyDto, TaxGroupDto, UnitDto } from './catalogue.dto.js';
import { representBillingGroups, representFamilies, representMeasurements } from './catalogue.read.js';
import { type CatalogueResource, optionalReferenceTo } from './catalogue-resource.js';
import { representUnit } from './represent-catalogue.js';
import { representTaxGroup } from './tax-group.read.js';
import { refuseOfferedTax } from './offered-tax.js';
import { ownRatesOf } from './tax-rates.js';

export const productFamilies: CatalogueResource<ProductFamilyRow, ProductFamilyDto> = {
  kind: 'product_family',
  label: 'product family',
  listed: {
    table: tables.productFamilies,
    columns: { status: 'status', name: 'name', createdAt: 'created_at' },
    search: ['name'],
  },
  columns: async (_tx, body) => ({ name: body.name.trim() }),
  represent: representFamilies,
};

export const units: CatalogueResource<UnitRow, UnitDto> = {
  kind: 'unit',
  label: 'unit',
  listed: {
    table: tables.units,
    columns: { status: 'status', name: 'name', createdAt: 'created_at' },
    search: ['name'],
  },
  columns: async (_tx, body) => ({ name: body.name.trim() }),
  represent: async (_tx, rows) => rows.map(representUnit),
};

export const measurements: CatalogueResource<MeasurementRow, MeasurementDto> = {
  kind: 'measurement',
  label: 'measurement',
  listed: {
    table: tables.measurements,
    columns: { status: 'status', code: 'code', type: 'type', createdAt: 'created_at' },
    search: ['code', 'description'],
  },
  constraints: { measurement_code_unique: 'code' },
  columns: async (tx, body, before) => ({
    code: body.code.trim(),
    description: textOrNull(body.description),
    unitId: await optionalReferenceTo(tx, tables.units, body.unit, 'unit', { label: 'unit', before: before?.unitId }),
    aggregationType: body.aggregationType ?? 'last_value',
    fairBilling: body.fairBilling ?? false,
    type: body.type ?? 'recurring',
  }),
  represent: representMeasurements,
};

export const taxGroups: CatalogueResource<TaxGroupRow, TaxGroupDto> = {
  kind: 'tax_group',
  label: 'tax group',
  listed: {
    table: tables.taxGroups,
    columns: { status: 'status', type: 'type', createdAt: 'created_at' },
    search: ['internal_description'],
  },
  columns: async (tx, body, before) => {
    const type = body.type ?? 'standard';
    if (before?.seeded && before.type !== type)
      throw validationFailed('type', 'type is fixed for the tax groups that every tenant starts with.', 'fixed');
    const taxed = {
      type,
      reverseChargeType: body.reverseChargeType ?? 'REVERSE_CHARGE_DEACTIVATED',
      taxes: ownRatesOf(type, body.taxes ?? []),
    } as const;
    if (before && !isDeepStrictEqual(taxed, ratesOf(before))) await refuseOfferedTax(tx, { taxGroup: before.id });
    return { internalDescription: body.internalDescription.trim(), ...taxed, seeded: before?.seeded ?? false };
  },
  beforeDelete: ({ seeded }) => {
    if (seeded)
      throw new DomainError('in_use', { detail: 'The tax groups that every tenant starts with can only be archived.' });
  },
  referring: { service: 'invoicing', path: '/internal/tax-groups' },
  represent: async (_tx, rows) => rows.map(representTaxGroup),
};

const ratesOf = ({ type, reverseChargeType, taxes }: TaxGroupRow) => ({ type, reverseChargeType, taxes });

export const billingGroups: CatalogueResource<BillingGroupRow, BillingGroupDto> = {
  kind: 'billing_group',
  label: 'billing group',
  listed: {
    table: tables.billingGroups,
    columns: {
      status: 'status',
      type: 'type',
      name: 'name',
      customer: { sql: 'customer_id', type: 'uuid' },
      createdAt: 'created_at',
    },
    search: ['name'],
  },
  columns: async (tx, body, before) => {
    const isCustom = body.type === 'custom';
    const day = body.customDay ?? null;
    const month = body.customMonth ?? null;
    if (isCustom && day === null)
      throw validationFailed('customDay', 'customDay is required for the type custom.', 'required');
    if (!isCustom && (day !== null || month !== null))
      throw validationFailed('customDay', 'customDay and customMonth are allowed for the type custom only.');
    return {
      name: body.name.trim(),
      type: body.type,
      customerId: await optionalReferenceTo(tx, tables.customers, body.customer, 'customer', {
        label: 'customer',
        before: before?.customerId,
      }),
      customDay: day,
      customMonth: month,
    };
  },
  represent: representBillingGroups,
};
