import { Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';
import { PreviewInvoice } from './preview-invoice.js';
import { ReadTimeline } from './timeline.js';

const MoneyJson = Type.Union([Type.Object({ amount: Type.Integer(), currencyCode: Type.String() }), Type.Null()]);
const Open = Type.Record(Type.String(), Type.Unknown());

export const previewSchema = Type.Object(
  {
    subscription: Type.Object({ id: Type.String({ format: 'uuid' }), number: Type.String() }),
    currencyCode: Type.String(),
    billingDate: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    netAmount: MoneyJson,
    discountAmount: MoneyJson,
    taxAmount: MoneyJson,
    grossAmount: MoneyJson,
    taxes: Type.Array(Open),
    positions: Type.Array(Open),
  },
  { $id: 'InvoicePreview' },
);

export const timelineSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { at: Type.String({ format: 'date-time' }), type: Type.String(), upcoming: Type.Boolean() },
        { additionalProperties: true },
      ),
    ),
  },
  { $id: 'SubscriptionTimeline' },
);

const tag = 'Subscriptions';

@Controller('subscriptions')
export class PreviewController {
  constructor(
    private readonly previewInvoice: PreviewInvoice,
    private readonly timeline: ReadTimeline,
  ) {}

  @Post(':id/preview-invoice')
  @Operation({
    id: 'previewSubscriptionInvoice',
    summary: 'The next invoice, without side effects',
    tag,
    permission: 'subscription:read',
    success: 201,
    response: previewSchema,
  })
  preview(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.previewInvoice.execute(tenantId, id);
  }

  @Get(':id/timeline')
  @Operation({
    id: 'getSubscriptionTimeline',
    summary: 'What happened and what will, each billed line explained',
    tag,
    permission: 'subscription:read',
    response: timelineSchema,
  })
  read(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.timeline.execute(tenantId, id);
  }
}
