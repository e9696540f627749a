import { Controller, Param, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { storedIdOf } from '../event-queries/event-id.js';
import { UsageEvent } from '../event-queries/usage-event.schema.js';
import { VoidUsageEvent } from './void-usage-event.js';

@Controller('api/usage-events')
export class VoidUsageEventController {
  constructor(private readonly voidUsageEvent: VoidUsageEvent) {}

  @Post(':id/void')
  @Operation({
    id: 'voidUsageEvent',
    summary: 'Void a usage event',
    tag: 'Usage',
    permission: 'usage-event:write',
    response: UsageEvent,
    description: 'The event counts nowhere any more. It stays visible, and its transactionId stays used.',
  })
  create(@Caller() { tenantId }: Principal, @Param('id') id: string) {
    return this.voidUsageEvent.execute(tenantId, storedIdOf(id));
  }
}
