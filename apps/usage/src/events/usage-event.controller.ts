import { Body, Controller, Headers, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { IngestEvents, type IngestResult } from './ingest-events.js';
import { hasEscapes, readEnvelope } from './read-envelope.js';
import { UsageEventsRequest, UsageEventsResult } from './usage-event.schema.js';

@Controller('api/usage-events')
export class UsageEventController {
  constructor(private readonly ingest: IngestEvents) {}

  @Post()
  @Operation({
    id: 'ingestUsageEvents',
    summary: 'Send usage events',
    tag: 'Usage',
    permission: 'usage-event:write',
    success: 202,
    response: UsageEventsResult,
    requestBody: UsageEventsRequest,
    rawBody: true,
    description:
      'Takes 1 to 1000 events. What is wrong with one of them is in `errors`; the others are taken. A known transactionId is ignored.',
  })
  create(@Caller() principal: Principal, @Body() body: unknown, @Headers('content-type') contentType?: string): Promise<IngestResult> {
    const items = readEnvelope(body, contentType);
    return this.ingest.execute(principal.tenantId, items, { plainText: !hasEscapes(body as Buffer) });
  }
}
