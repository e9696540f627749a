import { Injectable } from '@nestjs/common';
import type { ReferencesResponse } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { Database, type Match } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import { refusingWhileReferenced } from '../db/constraints.js';
import { type CatalogueResource, type CatalogueRow, noticeOf } from './catalogue-resource.js';
import { publishCatalogue } from './publish-catalogue.js';
import { lockCatalogueObject } from './replace-catalogue-object.js';

/**
 * Deletes an object of the catalogue that nothing refers to; foreign keys decide that, whatever runs at the same time. Another
 * service that refers to it is asked before: what refers to it in the same moment says so when it needs it.
 * @throws DomainError `not_found`, `in_use`; ServiceUnavailable, OutcomeUnknown when that service does not answer
 */
@Injectable()
export class DeleteCatalogueObject {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  async execute<R extends CatalogueRow, B>(
    tenantId: string,
    resource: CatalogueResource<R, B>,
    id: string,
  ): Promise<void> {
    await this.refuseWhileReferred(tenantId, resource, id);
    return refusingWhileReferenced(resource.label, () =>
      this.database.tenant(tenantId, async (tx) => {
        const row = await lockCatalogueObject(tx, resource, id);
        resource.beforeDelete?.(row);
        const deleted = resource.notices?.deleted;
        const [last] = deleted ? await resource.represent(tx, [row]) : [];
        await resource.listed.table.delete(tx, { id } as Match<R>);
        const notice = noticeOf(resource, row, deleted, last);
        await publishCatalogue(tx, resource.kind, { id, version: row.version + 1 }, null, notice);
      }),
    );
  }

  /** @throws DomainError `not_found`, `in_use` */
  private async refuseWhileReferred<R extends CatalogueRow, B>(
    tenantId: string,
    resource: CatalogueResource<R, B>,
    id: string,
  ): Promise<void> {
    const { label, listed, referring } = resource;
    if (!referring) return;
    const row = await this.database.tenant(tenantId, (tx) => listed.table.get(tx, id), { readOnly: true });
    if (!row) throw notFound(`The ${label}`);
    resource.beforeDelete?.(row);
    const { references } = await this.internal.call<ReferencesResponse>(
      referring.service,
      'GET',
      `${referring.path}/${id}/references`,
      undefined,
      { tenantId },
    );
    if (references.length > 0)
      throw new DomainError('in_use', {
        detail: `The ${label} is in use (${references.join(', ')}) and can only be archived.`,
      });
  }
}
