import { Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';
import { invoicePreviewSchema } from '../preview/preview.schema.js';
import { PreviewInvoice } from './preview-invoice.js';
import { ReadTimeline } from './timeline.js';

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
    response: invoicePreviewSchema,
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
