import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { rowsAfter } from '../db/rows-after.js';
import type { CatalogueResource, CatalogueRow } from './catalogue-resource.js';
import type { ProductRow, TaxGroupRow, UnitRow } from '../db/catalogue.row.js';
import type { ProductDto, TaxGroupDto, UnitDto } from './catalogue.dto.js';
import { products } from './products.resource.js';
import { TenantSetup } from '../settings/tenant-setup.js';
import { taxGroups, units } from './resources.js';

/** The owner's side of one kind of the catalogue: what the event carries as `state.object`. */
class CatalogueSource<R extends CatalogueRow, B> implements ReplicaProvider {
  constructor(private readonly resource: CatalogueResource<R, B>) {}

  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const row = await this.resource.listed.table.get(tx, id);
    return row && { version: row.version, data: (await this.resource.represent(tx, [row]))[0] };
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const rows = await rowsAfter(tx, this.resource.listed.table, after, limit);
    const data = await this.resource.represent(tx, rows);
    return rows.map((row, index) => ({ id: row.id, version: row.version, data: data[index] }));
  }
}

@ReplicaSource('tax_group')
export class TaxGroupSource extends CatalogueSource<TaxGroupRow, TaxGroupDto> {
  constructor(private readonly setup: TenantSetup) {
    super(taxGroups);
  }

  async ensure(tx: TenantTx): Promise<void> {
    await this.setup.ensureIfKnown(tx);
  }
}

@ReplicaSource('product')
export class ProductSource extends CatalogueSource<ProductRow, ProductDto> {
  constructor() {
    super(products);
  }
}

@ReplicaSource('unit')
export class UnitSource extends CatalogueSource<UnitRow, UnitDto> {
  constructor() {
    super(units);
  }
}
