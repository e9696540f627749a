import { Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';
import { explained, explanationSchema } from '../preview/explanation.schema.js';
import { invoicePreviewSchema } from '../preview/preview.schema.js';
import { Instant, orNull, Uuid } from '../schema.js';
import { PreviewInvoice } from './preview-invoice.js';
import { CancellationReason } from './subscription.schema.js';
import { ReadTimeline } from './timeline.js';

const money = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });

const itemId = Type.String({ format: 'uuid', description: 'Item that it is about.' });

/** What an entry has besides, by its type: of a state why and until when, of a line what it is and why. */
const details = {
  billingStart: orNull(Instant),
  reason: orNull(CancellationReason),
  dueDate: Instant,
  itemId,
  kind: Type.String(),
  quantity: Type.String(),
  servicePeriod: Type.Object({ from: Instant, to: Instant }),
  netAmount: money,
  discountAmount: orNull(money),
  invoiceId: orNull(Uuid),
  explanation: explanationSchema,
  itemIds: Type.Array(Uuid, { description: 'What is billed on that day.' }),
  usage: Type.Array(Type.Object({ itemId, ...Type.Partial(Type.Object(explained)).properties }), {
    description: 'Of what is measured: as if the period ended now.',
  }),
};

export const timelineSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        at: Instant,
        type: Type.String(),
        upcoming: Type.Boolean(),
        ...Type.Partial(Type.Object(details)).properties,
      }),
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
    changesNothing: true,
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
