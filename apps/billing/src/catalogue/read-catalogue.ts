import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type ListQuery, page, type Page } from '@kontor/service-kit';
import { listRows } from '../db/list-rows.js';
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
  one<R extends CatalogueRow, B>(
    tenantId: string,
    { listed, label, represent }: CatalogueResource<R, B>,
    id: string,
  ): Promise<Record<string, unknown>> {
    return this.database.tenant(tenantId, async (tx) => {
      const row = (await tx.manager.findOneBy(listed.row as never, { tenantId, id } as never)) as R | null;
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
