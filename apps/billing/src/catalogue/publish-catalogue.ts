import { catalogueChangedV1, type Notice, type NoticeType } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';

export type CatalogueKind =
  | 'tax_group'
  | 'product'
  | 'product_family'
  | 'unit'
  | 'measurement'
  | 'plan'
  | 'price_plan'
  | 'billing_group'
  | 'coupon'
  | 'customer_group';

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** A public consequence of a change in the catalogue: `product.created` with the product under `product`. */
export interface CatalogueNotice {
  readonly type: NoticeType;
  /** Key of the object in the webhook's data. */
  readonly key: string;
  /** What the webhook shows instead of the present state: the last one of what was deleted. */
  readonly object?: Record<string, unknown>;
  /** Whose log has it, too. */
  readonly customerId?: string | null;
  readonly metadata?: Record<string, unknown>;
}

/** Publishes the present state of an object of the catalogue; `object` null: it was deleted. */
export async function publishCatalogue(
  tx: TenantTx,
  kind: CatalogueKind,
  { id, version }: Versioned,
  object: Record<string, unknown> | null,
  ...changes: readonly (CatalogueNotice | undefined)[]
): Promise<void> {
  const notices = changes.flatMap((notice) => (notice ? [toNotice(id, notice, notice.object ?? object)] : []));
  await appendEvent(tx, catalogueChangedV1, {
    aggregateId: id,
    aggregateSeq: version,
    payload: { id, version, deleted: object === null, state: object && { kind, object }, notices },
  });
}

const toNotice = (
  id: string,
  { type, key, customerId = null, metadata }: CatalogueNotice,
  object: Record<string, unknown> | null,
): Notice => ({
  type,
  objectId: id,
  data: object && { [key]: object },
  customerId,
  activity: { metadata: { id, name: object?.name ?? null, ...metadata } },
});
