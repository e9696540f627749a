import { newUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { referenceTo } from '../catalogue/catalogue-resource.js';
import { FeatureAssignmentRow } from '../db/entitlement.row.js';
import * as tables from '../db/tables.js';
import type { AssignmentDto } from './entitlement.dto.js';
import type { AssignmentJson } from './entitlement.schema.js';
import { lockFeatures } from './lock-entitlements.js';
import { grantableFeature, refuseTooMany, validityOf, valueFor } from './read-grant.js';
import { representAssignment } from './represent-entitlement.js';
import { SpreadFeature } from './spread-feature.js';

/**
 * Gives a feature to a product or a price: to everybody who has it, and who will.
 * @throws DomainError `unknown_reference`, `validation_failed`, `feature_archived`, `too_many_entitlements`
 */
@Injectable()
export class AssignFeature {
  constructor(
    private readonly database: Database,
    private readonly spread: SpreadFeature,
  ) {}

  async execute(tenantId: string, body: AssignmentDto): Promise<AssignmentJson> {
    const json = await this.database.tenant(tenantId, (tx) => this.assign(tx, body));
    await this.spread.begin(tenantId, { assignment: json.id });
    return json;
  }

  private async assign(tx: TenantTx, body: AssignmentDto): Promise<AssignmentJson> {
    await lockFeatures(tx);
    const feature = await grantableFeature(tx, body.feature);
    const isProduct = body.object === 'product';
    const objectId = isProduct
      ? await referenceTo(tx, tables.products, body.objectId, 'objectId', { label: 'product' })
      : await referenceTo(tx, tables.pricePlans, body.objectId, 'objectId', { label: 'price plan' });
    const place = isProduct ? { productId: objectId } : { pricePlanId: objectId };
    refuseTooMany(await tables.featureAssignments.count(tx, place));
    const row = Object.assign(new FeatureAssignmentRow(), {
      tenantId: tx.tenantId,
      id: newUuid(),
      featureId: feature.id,
      productId: null,
      pricePlanId: null,
      ...place,
      value: valueFor(feature, body.value),
      ...validityOf(body),
      createdAt: tx.now,
    } satisfies FeatureAssignmentRow);
    await tables.featureAssignments.insert(tx, row);
    await this.spread.schedule(tx, { assignment: row.id });
    return representAssignment(row, feature);
  }
}
