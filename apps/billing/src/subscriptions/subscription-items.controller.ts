import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { badParameter, Caller, IdParam, Operation } from '@kontor/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { PreviewChange } from './preview-change.js';
import { ChangeDiscounts } from './change-discounts.js';
import { ChangeItems } from './change-items.js';
import { ItemCancelDto, ItemChangeDto, ItemPatchDto, NewDiscountDto, withTiming } from './subscription.dto.js';
import { ReadSubscriptions } from './subscription.read.js';
import { changeOptionsSchema, itemChangeSchema, subscriptionItemSchema } from './subscription.schema.js';

const tag = 'Subscriptions';

@Controller('subscription-items')
export class SubscriptionItemsController {
  constructor(
    private readonly db: Database,
    private readonly changes: ChangeItems,
    private readonly previews: PreviewChange,
    private readonly discounts: ChangeDiscounts,
    private readonly read: ReadSubscriptions,
  ) {}

  @Get(':id')
  @Operation({
    id: 'getSubscriptionItem',
    summary: 'One item of a subscription',
    tag,
    permission: 'subscription:read',
    response: subscriptionItemSchema,
  })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(caller.tenantId, (tx) => this.read.item(tx, id), { readOnly: true });
  }

  @Patch(':id')
  @Operation({
    id: 'patchSubscriptionItem',
    summary: 'Change name, description or quantity, redeem a coupon',
    tag,
    permission: 'subscription:write',
    response: subscriptionItemSchema,
  })
  patch(@Caller() caller: Principal, @IdParam() id: string, @Body() body: ItemPatchDto) {
    return this.db.tenant(caller.tenantId, (tx) => this.changes.patch(tx, id, withTiming(body)));
  }

  @Post(':id/discounts')
  @Operation({
    id: 'addItemDiscount',
    summary: 'Redeem a coupon, or give a discount by hand, for one item',
    description: 'Either `coupon`, or the terms of a discount by hand. Lines that are billed from now on have it.',
    tag,
    permission: 'subscription:write',
    success: 201,
    response: subscriptionItemSchema,
  })
  addDiscount(@Caller() caller: Principal, @IdParam() id: string, @Body() body: NewDiscountDto) {
    return this.db.tenant(caller.tenantId, (tx) => this.discounts.addToItem(tx, id, body));
  }

  @Delete(':id/discounts/:discountId')
  @HttpCode(204)
  @Operation({
    id: 'removeItemDiscount',
    summary: 'Remove a discount from one item',
    description: 'What is billed stays; a redemption of which nothing was used is free again.',
    tag,
    permission: 'subscription:write',
    success: 204,
  })
  removeDiscount(@Caller() caller: Principal, @IdParam() id: string, @IdParam('discountId') discountId: string) {
    return this.db.tenant(caller.tenantId, (tx) => this.discounts.removeFromItem(tx, id, discountId));
  }

  @Put(':id/cancel')
  @Operation({
    id: 'cancelSubscriptionItem',
    summary: 'End one item',
    tag,
    permission: 'subscription:write',
    response: subscriptionItemSchema,
  })
  cancel(@Caller() caller: Principal, @IdParam() id: string, @Body() body: ItemCancelDto) {
    return this.db.tenant(caller.tenantId, (tx) => this.changes.cancel(tx, id, body));
  }

  @Delete(':id/pending-change')
  @HttpCode(204)
  @Operation({
    id: 'revokeItemChange',
    summary: 'Revoke a change that waits for its day',
    description: 'The item keeps its price and quantity. What takes effect today or is billed cannot be revoked.',
    tag,
    permission: 'subscription:write',
    success: 204,
  })
  revokeChange(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(caller.tenantId, (tx) => this.changes.revoke(tx, id));
  }

  @Get(':id/change-options')
  @Operation({
    id: 'getItemChangeOptions',
    summary: 'What an item can be changed to',
    tag,
    permission: 'subscription:read',
    response: changeOptionsSchema,
  })
  options(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(caller.tenantId, (tx) => this.changes.options(tx, id));
  }

  @Post(':id/change')
  @Operation({
    id: 'changeSubscriptionItem',
    summary: 'Another price or quantity, with proration; ?preview=true changes nothing',
    query: { preview: { type: 'boolean', default: false, description: 'True: nothing is changed.' } },
    tag,
    permission: 'subscription:write',
    success: 201,
    response: itemChangeSchema,
  })
  change(
    @Caller() caller: Principal,
    @IdParam() id: string,
    @Body() body: ItemChangeDto,
    @Query('preview') preview?: string,
  ) {
    if (preview !== undefined && !['true', 'false', '1', '0'].includes(preview))
      throw badParameter('preview', 'must be true or false');
    const request = withTiming(body);
    if (preview === 'true' || preview === '1') return this.previews.execute(caller.tenantId, id, request);
    return this.db.tenant(caller.tenantId, (tx) => this.changes.change(tx, id, request));
  }
}
