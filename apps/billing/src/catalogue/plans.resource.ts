import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { PlanItemRow, PlanPeriod, PlanRow } from '../db/catalogue.row.js';
import { textOrNull } from '../fields.js';
import type { PlanDto, PlanPeriodDto } from './plan.dto.js';
import { representPlans } from './catalogue.read.js';
import { type CatalogueResource, optionalReferenceTo, referenceTo } from './catalogue-resource.js';

export const plans: CatalogueResource<PlanRow, PlanDto> = {
  kind: 'plan',
  label: 'plan',
  constraints: { plan_code_unique: 'code' },
  listed: {
    table: tables.plans,
    columns: {
      status: 'status',
      code: 'code',
      name: 'name',
      family: { sql: 'family_id', type: 'uuid' },
      allowCheckout: { sql: 'allow_checkout', type: 'boolean' },
      createdAt: 'created_at',
    },
    search: ['name', 'code'],
  },
  columns: async (tx, body, before) => ({
    status: body.status ?? 'draft',
    code: body.code.trim(),
    name: body.name.trim(),
    description: textOrNull(body.description),
    familyId: await optionalReferenceTo(tx, tables.productFamilies, body.family, 'family', {
      label: 'product family',
      before: before?.familyId,
    }),
    originProductId: await optionalReferenceTo(tx, tables.products, body.originProduct, 'originProduct', {
      label: 'product',
      before: before?.originProductId,
    }),
    allowCheckout: body.allowCheckout ?? false,
    changeBehaviour: body.changeBehaviour ?? 'upgradeable_and_downgradeable',
    changeApplyBehaviour: body.changeApplyBehaviour ?? 'end_of_period',
    rank: body.rank ?? null,
    period: periodOf(body.period),
  }),
  storeParts: replaceItems,
  represent: representPlans,
};

const periodOf = (period: PlanPeriodDto | null | undefined): PlanPeriod | null =>
  period
    ? {
        contractPeriodCount: period.contractPeriodCount ?? 1,
        contractPeriod: period.contractPeriod ?? null,
        cancellationPeriod: period.cancellationPeriod ?? null,
      }
    : null;

/** Puts the body's items in the place of the stored ones; an archived price may stay where it was. */
async function replaceItems(tx: TenantTx, plan: PlanRow, body: PlanDto): Promise<void> {
  const { tenantId, id: planId } = plan;
  const before = new Set((await tables.planItems.find(tx, { planId })).map((item) => item.pricePlanId));
  const items: PlanItemRow[] = [];
  for (const [ranking, item] of (body.items ?? []).entries()) {
    const known = before.has(item.pricePlan.toLowerCase()) ? item.pricePlan.toLowerCase() : null;
    const pricePlanId = await referenceTo(tx, tables.pricePlans, item.pricePlan, `items[${ranking}].pricePlan`, {
      label: 'price plan',
      before: known,
    });
    items.push({ tenantId, planId, ranking, pricePlanId, quantity: item.quantity ?? '1' });
  }
  await tables.planItems.delete(tx, { planId });
  await tables.planItems.insert(tx, items);
}
