import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { refusingDuplicates } from '../db/constraints.js';
import { TenantSetup } from '../settings/tenant-setup.js';
import { type CatalogueResource, type CatalogueRow, noticeOf } from './catalogue-resource.js';
import { publishCatalogue } from './publish-catalogue.js';

/**
 * Creates an object of the catalogue.
 * @throws DomainError `validation_failed`, `unknown_reference`, `already_exists`
 */
@Injectable()
export class CreateCatalogueObject {
  constructor(
    private readonly database: Database,
    private readonly setup: TenantSetup,
  ) {}

  async execute<R extends CatalogueRow, B>(
    tenantId: string,
    resource: CatalogueResource<R, B>,
    body: B,
  ): Promise<Record<string, unknown>> {
    return refusingDuplicates(resource.constraints ?? {}, () =>
      this.database.tenant(tenantId, async (tx) => {
        await this.setup.ensure(tx);
        return createCatalogueObject(tx, resource, body);
      }),
    );
  }
}

/** The same in a transaction of the caller, for a tenant that is set up. */
export async function createCatalogueObject<R extends CatalogueRow, B>(
  tx: TenantTx,
  resource: CatalogueResource<R, B>,
  body: B,
): Promise<Record<string, unknown>> {
  const common = {
    tenantId: tx.tenantId,
    id: newUuid(),
    version: 1,
    status: 'active',
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  const row = { ...common, ...(await resource.columns(tx, body, null)) } as unknown as R;
  await resource.listed.table.insert(tx, row);
  await resource.storeParts?.(tx, row, body);
  const [object = {}] = await resource.represent(tx, [row]);
  await publishCatalogue(tx, resource.kind, row, object, noticeOf(resource, row, resource.notices?.created));
  return object;
}
