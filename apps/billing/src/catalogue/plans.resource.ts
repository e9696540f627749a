import type { TenantTx } from '@kontor/persistence';
import { PlanItemRow, type PlanPeriod, PlanRow, PricePlanRow, ProductFamilyRow, ProductRow } from '../db/catalogue.row.js';
import { textOrNull } from '../customers/customer-input.js';
import type { PlanDto, PlanPeriodDto } from './catalogue.dto.js';
import { representPlans } from './catalogue.read.js';
import { type CatalogueResource, optionalReferenceTo, referenceTo } from './catalogue-resource.js';

export const plans: CatalogueResource<PlanRow, PlanDto> = {
  kind: 'plan',
  label: 'plan',
  constraints: { plan_code_unique: 'code' },
  listed: {
    row: PlanRow,
    table: 'plan',
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
    familyId: await optionalReferenceTo(tx, ProductFamilyRow, body.family, 'family', { label: 'product family', before: before?.familyId }),
    originProductId: await optionalReferenceTo(tx, ProductRow, body.originProduct, 'originProduct', {
      label: 'product',
      before: before?.originProductId,
    }),
    allowCheckout: body.allowCheckout ?? false,
    changeBehaviour: body.changeBehaviour ?? 'upgradeable_and_downgradeable',
    changeApplyBehaviour: body.changeApplyBehaviour ?? 'end_of_period',
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
  const where = { tenantId: tx.tenantId, planId: plan.id };
  const before = new Set((await tx.manager.findBy(PlanItemRow, where)).map((item) => item.pricePlanId));
  const items: PlanItemRow[] = [];
  for (const [ranking, item] of (body.items ?? []).entries()) {
    const known = before.has(item.pricePlan.toLowerCase()) ? item.pricePlan.toLowerCase() : null;
    const pricePlanId = await referenceTo(tx, PricePlanRow, item.pricePlan, `items[${ranking}].pricePlan`, {
      label: 'price plan',
      before: known,
    });
    items.push(Object.assign(new PlanItemRow(), { ...where, ranking, pricePlanId, quantity: item.quantity ?? '1' }));
  }
  await tx.manager.delete(PlanItemRow, where);
  if (items.length > 0) await tx.manager.insert(PlanItemRow, items);
}
