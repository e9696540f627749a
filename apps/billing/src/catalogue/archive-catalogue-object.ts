import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import type { CatalogueResource, CatalogueRow } from './catalogue-resource.js';
import { lockCatalogueObject, saveCatalogueObject } from './replace-catalogue-object.js';

/**
 * Archives an object of the catalogue: what uses it goes on, nothing new may refer to it. Repeating it changes nothing.
 * @throws DomainError `not_found`
 */
@Injectable()
export class ArchiveCatalogueObject {
  constructor(private readonly database: Database) {}

  execute<R extends CatalogueRow, B>(
    tenantId: string,
    resource: CatalogueResource<R, B>,
    id: string,
  ): Promise<Record<string, unknown>> {
    return this.database.tenant(tenantId, async (tx) => {
      const row = await lockCatalogueObject(tx, resource, id);
      if (row.status === 'archived') return (await resource.represent(tx, [row]))[0] ?? {};
      row.status = 'archived';
      return saveCatalogueObject(tx, resource, row, resource.notices?.archived);
    });
  }
}
