import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { NOTICE_TYPES, type Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation, RequiredField } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';
import { CustomerActivity } from './activity.schema.js';
import { ReadActivities } from './activity.read.js';
import { AddComment } from './add-comment.js';
import { PinActivity } from './pin-activity.js';

const tag = 'Activities';

export class CommentDto {
  @RequiredField()
  @IsString()
  @Length(1, 5000)
  comment!: string;
}

@Controller('customers')
export class CustomerActivitiesController {
  constructor(
    private readonly comments: AddComment,
    private readonly read: ReadActivities,
  ) {}

  @Post(':id/comment')
  @Operation({
    id: 'addCustomerComment',
    summary: 'Comment on a customer',
    tag,
    permission: 'customer:write',
    response: CustomerActivity,
    errors: { 422: '`customer_anonymized`: nothing is noted about the customer any more' },
  })
  comment(@Caller() principal: Principal, @IdParam('id') id: string, @Body() dto: CommentDto) {
    return this.comments.execute(principal, id, dto.comment);
  }

  @Get(':id/activities')
  @Operation({
    id: 'listCustomerActivities',
    summary: "A customer's activity log: pinned entries first, then the newest",
    tag,
    permission: 'customer:read',
    response: CustomerActivity,
  })
  list(
    @Caller() principal: Principal,
    @IdParam('id') id: string,
    @List({ filters: { type: NOTICE_TYPES, pinned: 'boolean' }, ranges: ['dateTime'] }) list: ListQuery,
  ) {
    return this.read.list(principal.tenantId, id, list);
  }
}

@Controller('activities')
export class ActivitiesController {
  constructor(private readonly pins: PinActivity) {}

  @Put(':id/pin')
  @Operation({
    id: 'pinActivity',
    summary: 'Keep an entry on top',
    tag,
    permission: 'customer:write',
    response: CustomerActivity,
  })
  pin(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.pins.execute(principal.tenantId, id, true);
  }

  @Put(':id/unpin')
  @Operation({
    id: 'unpinActivity',
    summary: 'Let a pinned entry go',
    tag,
    permission: 'customer:write',
    response: CustomerActivity,
  })
  unpin(@Caller() principal: Principal, @IdParam('id') id: string) {
    return this.pins.execute(principal.tenantId, id, false);
  }
}
