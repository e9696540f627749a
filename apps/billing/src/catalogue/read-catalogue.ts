import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { TenantSetup } from '../settings/tenant-setup.js';
import type { CatalogueResource, CatalogueRow } from './catalogue-resource.js';

/** One object or a page of objects of the catalogue, each in a constant number of queries. */
@Injectable()
export class ReadCatalogue {
  constructor(
    private readonly database: Database,
    private readonly setup: TenantSetup,
  ) {}

  /** @throws DomainError `not_found` */
  get<R extends CatalogueRow, B>(
    tenantId: string,
    { listed, label, represent }: CatalogueResource<R, B>,
    id: string,
  ): Promise<Record<string, unknown>> {
    return this.database.tenant(tenantId, async (tx) => {
      const row = await listed.table.get(tx, id);
      const [object] = row ? await represent(tx, [row]) : [];
      if (!object) throw notFound(`The ${label}`);
      return object;
    });
  }

  list<R extends CatalogueRow, B>(
    tenantId: string,
    { listed, represent }: CatalogueResource<R, B>,
    list: ListQuery,
  ): Promise<Page<Record<string, unknown>>> {
    return this.database.tenant(tenantId, async (tx) => {
      await this.setup.ensure(tx);
      const { rows, total } = await listRows(tx, list, listed);
      return page(await represent(tx, rows), total, list);
    });
  }
}
