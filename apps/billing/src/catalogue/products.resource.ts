import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { ProductRow } from '../db/catalogue.row.js';
import { textOrNull } from '../fields.js';
import { refuse, violationsOfCustomFields } from '../settings/check-custom-fields.js';
import type { ProductDto } from './catalogue.dto.js';
import { representProducts } from './catalogue.read.js';
import { refuseOfferedTax } from './offered-tax.js';
import { type CatalogueResource, optionalReferenceTo, referenceTo } from './catalogue-resource.js';

export const products: CatalogueResource<ProductRow, ProductDto> = {
  kind: 'product',
  label: 'product',
  notices: { key: 'product', created: 'product.created', updated: 'product.updated', archived: 'product.archived' },
  listed: {
    table: tables.products,
    columns: {
      status: 'status',
      type: 'type',
      name: 'name',
      productNumber: 'product_number',
      productFamily: { sql: 'product_family_id', type: 'uuid' },
      taxGroup: { sql: 'tax_group_id', type: 'uuid' },
      createdAt: 'created_at',
    },
    search: ['name', 'internal_name', 'product_number'],
  },
  columns: async (tx, body, before) => {
    refuse(await violationsOfCustomFields(tx, 'product', body.customFields ?? null));
    const taxGroupId = await taxGroupOf(tx, body, before);
    if (before && before.taxGroupId !== taxGroupId) await refuseOfferedTax(tx, { product: before.id });
    return {
      name: body.name.trim(),
      type: body.type ?? 'product',
      taxGroupId,
      productFamilyId: await optionalReferenceTo(tx, tables.productFamilies, body.productFamily, 'productFamily', {
        label: 'product family',
        before: before?.productFamilyId,
      }),
      unitId: await optionalReferenceTo(tx, tables.units, body.unit, 'unit', { label: 'unit', before: before?.unitId }),
      measurementId: await optionalReferenceTo(tx, tables.measurements, body.measurement, 'measurement', {
        label: 'measurement',
        before: before?.measurementId,
      }),
      productNumber: textOrNull(body.productNumber),
      description: textOrNull(body.description),
      internalName: textOrNull(body.internalName),
      invoiceVisibility: body.invoiceVisibility ?? 'always',
      isGood: body.isGood ?? false,
      customFields: body.customFields ?? null,
      translations: body.translations ?? null,
    };
  },
  represent: representProducts,
};

/** The named tax group, else the seeded one of the standard rate. */
async function taxGroupOf(tx: TenantTx, body: ProductDto, before: ProductRow | null): Promise<string> {
  if (body.taxGroup)
    return referenceTo(tx, tables.taxGroups, body.taxGroup, 'taxGroup', {
      label: 'tax group',
      before: before?.taxGroupId,
    });
  const standard = await tables.taxGroups.findOne(tx, { type: 'standard', seeded: true });
  invariant(standard, 'a tenant that was set up has a standard tax group');
  return standard.id;
}
