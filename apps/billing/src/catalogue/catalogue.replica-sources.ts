import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { MoreThan } from 'typeorm';
import type { CatalogueResource, CatalogueRow } from './catalogue-resource.js';
import { products as productResource } from './products.resource.js';
import { taxGroups as taxGroupResource, units as unitResource } from './resources.js';

/** The owner's side of one kind of the catalogue: what the event carries as `state.object`. */
class CatalogueSource<R extends CatalogueRow, B> implements ReplicaProvider {
  constructor(private readonly resource: CatalogueResource<R, B>) {}

  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const row = (await tx.manager.findOneBy(this.resource.listed.row as never, { tenantId: tx.tenantId, id } as never)) as R | null;
    return row && { version: row.version, data: (await this.resource.represent(tx, [row]))[0] };
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const rows = (await tx.manager.find(this.resource.listed.row as never, {
      where: { tenantId: tx.tenantId, ...(after === null ? {} : { id: MoreThan(after) }) } as never,
      order: { id: 'ASC' } as never,
      take: limit,
    })) as R[];
    const data = await this.resource.represent(tx, rows);
    return rows.map((row, index) => ({ id: row.id, version: row.version, data: data[index] }));
  }
}

@ReplicaSource('tax_group')
export class TaxGroupSource extends CatalogueSource<never, never> {
  constructor() {
    super(taxGroupResource as never);
  }
}

@ReplicaSource('product')
export class ProductSource extends CatalogueSource<never, never> {
  constructor() {
    super(productResource as never);
  }
}

@ReplicaSource('unit')
export class UnitSource extends CatalogueSource<never, never> {
  constructor() {
    super(unitResource as never);
  }
}
