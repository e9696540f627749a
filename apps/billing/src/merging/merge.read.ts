import type { MergedObjectsResponse, MergeProgress, MergeProgressResponse, ServiceName } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, mergedObjects, type MovedRows, type TenantTx } from '@kontor/persistence';
import { InternalClient, type ListQuery, page, type Page } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { findCustomer } from '../customers/customer.read.js';
import { MERGING_SERVICES } from './check-merge.js';
import type { MergedObjectJson, MergeJson } from './merge.schema.js';

interface MergeRow {
  readonly id: string;
  readonly sourceCustomerId: string;
  readonly targetCustomerId: string;
  readonly moved: MovedRows[];
  readonly mergedAt: Date;
  readonly undoneAt: Date | null;
}

const COLUMNS = `merge_id AS id, source_customer_id AS "sourceCustomerId", target_customer_id AS "targetCustomerId",
  moved, merged_at AS "mergedAt", undone_at AS "undoneAt"`;

/** Merges as they are known here, and how far the other services are: asked when somebody wants to know. */
@Injectable()
export class ReadMerges {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  /** Of a customer, as the one that stays or the one that went. @throws DomainError `not_found` */
  async list(tenantId: string, customerId: string, list: ListQuery): Promise<Page<MergeJson>> {
    const { rows, total } = await this.database.tenant(
      tenantId,
      async (tx) => {
        await findCustomer(tx, customerId);
        const which =
          'FROM customer_merge WHERE tenant_id = $1 AND (target_customer_id = $2 OR source_customer_id = $2)';
        const params = [tx.tenantId, customerId];
        const found = await tx.query<MergeRow>(
          `SELECT ${COLUMNS} ${which} ORDER BY merged_at DESC, merge_id DESC LIMIT $3 OFFSET $4`,
          [...params, list.limit, (list.page - 1) * list.limit],
        );
        const [counted] = await tx.query<{ total: number }>(`SELECT count(*)::int AS total ${which}`, params);
        return { rows: found, total: counted?.total ?? 0 };
      },
      { readOnly: true },
    );
    return page(await this.represent(tenantId, rows), total, list);
  }

  /** @throws DomainError `not_found`; ServiceUnavailable */
  async byId(tenantId: string, id: string): Promise<MergeJson> {
    const [merge] = await this.represent(tenantId, [await this.find(tenantId, id)]);
    return merge!;
  }

  /** In the transaction that undoes it: nobody else has heard of that. */
  async justUndone(tx: TenantTx, id: string): Promise<MergeJson> {
    const others = MERGING_SERVICES.map((service) => ({ service, progress: undefined }));
    return representMerge(await findMerge(tx, id), others);
  }

  /** What became the target's, in one service. @throws DomainError `not_found`; ServiceUnavailable */
  async objects(tenantId: string, id: string, list: ListQuery): Promise<Page<MergedObjectJson>> {
    await this.find(tenantId, id);
    const [service = 'billing'] = list.filters.service ?? [];
    const { limit } = list;
    const offset = (list.page - 1) * limit;
    const path = `/internal/customer-merges/${id}/objects?limit=${limit}&offset=${offset}`;
    const { objects, total } =
      service === 'billing'
        ? await this.database.tenant(tenantId, (tx) => mergedObjects(tx, id, limit, offset), { readOnly: true })
        : await this.internal.call<MergedObjectsResponse>(service as ServiceName, 'GET', path, undefined, { tenantId });
    return page(
      objects.map((object) => ({ service: String(service), ...object })),
      total,
      list,
    );
  }

  private find(tenantId: string, id: string): Promise<MergeRow> {
    return this.database.tenant(tenantId, (tx) => findMerge(tx, id), { readOnly: true });
  }

  /** Each service is asked once, however many they are. */
  private async represent(tenantId: string, rows: readonly MergeRow[]): Promise<MergeJson[]> {
    if (rows.length === 0) return [];
    const path = `/internal/customer-merges?ids=${rows.map(({ id }) => id).join(',')}`;
    const others = await Promise.all(
      MERGING_SERVICES.map(async (service) => {
        const { merges } = await this.internal.call<MergeProgressResponse>(service, 'GET', path, undefined, {
          tenantId,
        });
        return { service, progress: new Map(merges.map((merge) => [merge.mergeId, merge])) };
      }),
    );
    return rows.map((row) =>
      representMerge(
        row,
        others.map(({ service, progress }) => ({ service, progress: progress.get(row.id) })),
      ),
    );
  }
}

/** @throws DomainError `not_found` */
async function findMerge(tx: TenantTx, id: string): Promise<MergeRow> {
  const [row] = await tx.query<MergeRow>(
    `SELECT ${COLUMNS} FROM customer_merge WHERE tenant_id = $1 AND merge_id = $2`,
    [tx.tenantId, id],
  );
  if (!row) throw notFound('The merge');
  return row;
}

function representMerge(
  { mergedAt, undoneAt, moved, ...merge }: MergeRow,
  others: readonly { readonly service: ServiceName; readonly progress: MergeProgress | undefined }[],
): MergeJson {
  const wanted = undoneAt ? 'undone' : 'completed';
  const waitingFor = others.filter(({ progress }) => progress?.status !== wanted).map(({ service }) => service);
  const [busy, done] = undoneAt ? (['undoing', 'undone'] as const) : (['running', 'completed'] as const);
  const last = others
    .map(({ progress }) => progress?.completedAt ?? '')
    .sort()
    .at(-1);
  return {
    ...merge,
    status: waitingFor.length === 0 ? done : busy,
    waitingFor,
    moved: [
      { service: 'billing', objects: moved },
      ...others.map((o) => ({ service: o.service, objects: o.progress?.moved ?? [] })),
    ].flatMap(({ service, objects }) => objects.map((object) => ({ service, ...object }))),
    mergedAt: mergedAt.toISOString(),
    completedAt: (undoneAt !== null || waitingFor.length === 0) && last ? last : null,
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}
