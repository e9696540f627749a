import type { NoticeType } from '@kontor/contracts';
import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { refusingDuplicates } from '../db/constraints.js';
import { type CatalogueResource, type CatalogueRow, noticeOf } from './catalogue-resource.js';
import { publishCatalogue } from './publish-catalogue.js';

/** Loads an object of the catalogue and locks it. @throws DomainError `not_found` */
export async function lockCatalogueObject<R extends CatalogueRow, B>(
  tx: TenantTx,
  { listed, label }: CatalogueResource<R, B>,
  id: string,
): Promise<R> {
  const row = await listed.table.get(tx, id, { lock: 'update' });
  if (!row) throw notFound(`The ${label}`);
  return row;
}

/**
 * Replaces an object of the catalogue; omitted fields get their defaults. Nothing is published when nothing changed.
 * @throws DomainError `not_found`, `validation_failed`, `unknown_reference`, `already_exists`, `price_plan_in_use`
 */
@Injectable()
export class ReplaceCatalogueObject {
  constructor(private readonly database: Database) {}

  async execute<R extends CatalogueRow, B>(
    tenantId: string,
    resource: CatalogueResource<R, B>,
    id: string,
    body: B,
  ): Promise<Record<string, unknown>> {
    return refusingDuplicates(resource.constraints ?? {}, () =>
      this.database.tenant(tenantId, async (tx) => {
        const row = await lockCatalogueObject(tx, resource, id);
        const [before = {}] = await resource.represent(tx, [row]);
        Object.assign(row, await resource.columns(tx, body, row));
        await resource.storeParts?.(tx, row, body);
        const [after = {}] = await resource.represent(tx, [row]);
        if (JSON.stringify(before) === JSON.stringify(after)) return before;
        return saveCatalogueObject(tx, resource, row, resource.notices?.updated);
      }),
    );
  }
}

/** Stores a changed row with its next version and publishes it. */
export async function saveCatalogueObject<R extends CatalogueRow, B>(
  tx: TenantTx,
  resource: CatalogueResource<R, B>,
  row: R,
  notice: NoticeType | undefined,
): Promise<Record<string, unknown>> {
  row.version += 1;
  row.updatedAt = tx.now;
  await resource.listed.table.update(tx, row);
  const [object = {}] = await resource.represent(tx, [row]);
  await publishCatalogue(tx, resource.kind, row, object, noticeOf(resource, row, notice));
  return object;
}
