import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ChangePlan } from './change-plan.js';
import { ReadPlanOptions } from './plan-options.read.js';
import { PlanChangeDto, withTiming } from './subscription.dto.js';
import { pendingChangesSchema, planChangeSchema, planOptionsSchema } from './subscription.schema.js';

const tag = 'Subscriptions';

/** What waits for its day, and another plan for the whole subscription. */
@Controller('subscriptions')
export class PlanChangesController {
  constructor(
    private readonly db: Database,
    private readonly plans: ChangePlan,
    private readonly read: ReadPlanOptions,
  ) {}

  @Post(':id/change-plan')
  @Operation({
    id: 'changeSubscriptionPlan',
    summary: 'Another plan for the whole subscription',
    description:
      'The items of the present plan become those of the new one on one day: each the line of its product, else the next one; ' +
      'a quantity that is not what its plan says stays. Items that are left end, lines that are left begin; add-ons stay. ' +
      'At the end of the period means when everything is used that the items of the plan have paid. With `preview` nothing is changed.',
    tag,
    permission: 'subscription:write',
    success: 201,
    response: planChangeSchema,
  })
  change(@Caller() { tenantId }: Principal, @IdParam() id: string, @Body() body: PlanChangeDto) {
    const { preview, ...wanted } = withTiming(body);
    if (preview) return this.plans.preview(tenantId, id, wanted);
    return this.db.tenant(tenantId, (tx) => this.plans.execute(tx, id, wanted));
  }

  @Get(':id/change-options')
  @Operation({
    id: 'getPlanChangeOptions',
    summary: 'Plans that a subscription can be changed to',
    description:
      'Active plans of the family of the present one, in its currency, as far as it allows, each with its direction: by the price ' +
      'per month of all lines at the present quantities.',
    tag,
    permission: 'subscription:read',
    response: planOptionsSchema,
  })
  options(@Caller() { tenantId }: Principal, @IdParam() id: string) {
    return this.db.tenant(tenantId, (tx) => this.read.options(tx, id), { readOnly: true });
  }

  @Get(':id/pending-changes')
  @Operation({
    id: 'listPendingChanges',
    summary: 'Changes of a subscription that wait for their day',
    description: 'Of the plan, of its items, and the phases of a ramp, the earliest first.',
    tag,
    permission: 'subscription:read',
    response: pendingChangesSchema,
  })
  pending(@Caller() { tenantId }: Principal, @IdParam() id: string) {
    return this.db.tenant(tenantId, (tx) => this.read.pending(tx, id), { readOnly: true });
  }

  @Delete(':id/pending-changes/:changeId')
  @HttpCode(204)
  @Operation({
    id: 'revokePendingChange',
    summary: 'Revoke a change that waits for its day',
    description:
      'A change of the plan with all that it brings. What takes effect today or is billed cannot be revoked.',
    tag,
    permission: 'subscription:write',
    success: 204,
  })
  revoke(@Caller() { tenantId }: Principal, @IdParam() id: string, @IdParam('changeId') changeId: string) {
    return this.db.tenant(tenantId, (tx) => this.plans.revoke(tx, id, changeId));
  }
}
