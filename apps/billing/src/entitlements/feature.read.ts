import { notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { isStorableText, type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import type { FeatureRow } from '../db/entitlement.row.js';
import type { AssignmentJson, FeatureJson, ListedFeatureJson } from './entitlement.schema.js';
import { representAssignment, representListedFeature } from './represent-entitlement.js';

/** @throws DomainError `not_found` */
export async function findFeature(tx: TenantTx, id: string, options: { lock?: 'update' } = {}): Promise<FeatureRow> {
  const row = isStorableText(id) ? await tables.features.get(tx, id, options) : null;
  if (!row) throw notFound('Feature');
  return row;
}

/** A feature with how often it is given to products, to prices, and to customers. */
export async function representFeature(tx: TenantTx, row: FeatureRow): Promise<FeatureJson> {
  const [counts] = await tx.query<{ products: number; prices: number; entitlements: number }>(
    `SELECT count(product_id)::int AS products, count(price_plan_id)::int AS prices,
       (SELECT count(*)::int FROM entitlement WHERE tenant_id = $1 AND feature_id = $2) AS entitlements
     FROM feature_assignment WHERE tenant_id = $1 AND feature_id = $2`,
    [tx.tenantId, row.id],
  );
  return {
    ...representListedFeature(row),
    productAssignmentsCount: counts!.products,
    productPriceAssignmentsCount: counts!.prices,
    entitlementsCount: counts!.entitlements,
  };
}

export async function listFeatures(tx: TenantTx, list: ListQuery): Promise<Page<ListedFeatureJson>> {
  const { rows, total } = await listRows(tx, list, {
    table: tables.features,
    columns: {
      id: 'id',
      name: 'name',
      description: 'description',
      status: 'status',
      type: 'type',
      createdAt: 'created_at',
    },
    search: ['id', 'name', 'description'],
  });
  return page(rows.map(representListedFeature), total, list);
}

export async function listAssignments(tx: TenantTx, list: ListQuery): Promise<Page<AssignmentJson>> {
  const { rows, total } = await listRows(tx, list, {
    table: tables.featureAssignments,
    columns: {
      feature: 'feature_id',
      product: { sql: 'product_id', type: 'uuid' },
      pricePlan: { sql: 'price_plan_id', type: 'uuid' },
    },
  });
  const features = await tables.features.findByIds(
    tx,
    rows.map(({ featureId }) => featureId),
  );
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  return page(
    rows.map((row) => representAssignment(row, byId.get(row.featureId)!)),
    total,
    list,
  );
}
