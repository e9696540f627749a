import { Injectable } from '@nestjs/common';
import { Database, type Match } from '@kontor/persistence';
import { refusingWhileReferenced } from '../db/constraints.js';
import type { CatalogueResource, CatalogueRow } from './catalogue-resource.js';
import { publishCatalogue } from './publish-catalogue.js';
import { lockCatalogueObject } from './replace-catalogue-object.js';

/**
 * Deletes an object of the catalogue that nothing refers to; foreign keys decide that, whatever runs at the same time.
 * @throws DomainError `not_found`, `in_use`
 */
@Injectable()
export class DeleteCatalogueObject {
  constructor(private readonly database: Database) {}

  execute<R extends CatalogueRow, B>(tenantId: string, resource: CatalogueResource<R, B>, id: string): Promise<void> {
    return refusingWhileReferenced(resource.label, () =>
      this.database.tenant(tenantId, async (tx) => {
        const row = await lockCatalogueObject(tx, resource, id);
        resource.beforeDelete?.(row);
        const { key, deleted } = resource.notices ?? {};
        const [last] = deleted ? await resource.represent(tx, [row]) : [];
        await resource.listed.table.delete(tx, { id } as Match<R>);
        const notice = key && deleted && last ? { type: deleted, key, object: last } : undefined;
        await publishCatalogue(tx, resource.kind, { id, version: row.version + 1 }, null, notice);
      }),
    );
  }
}
