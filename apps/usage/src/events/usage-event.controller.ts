import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { isUlid, notFound, ulidToUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, Operation } from '@kontor/service-kit';
import { UUID_FORM } from '../domain/list-cursor.js';
import { FindCustomers } from './find-customers.js';
import { IngestEvents, type IngestResult } from './ingest-events.js';
import { readEnvelope } from './read-envelope.js';
import { readListQuery, usageEventListQuery } from './read-list-query.js';
import { findUsageEvent, listUsageEvents, representUsageEvent } from './usage-event.read.js';
import { UsageEvent, UsageEventList, UsageEventsRequest, UsageEventsResult } from './usage-event.schema.js';

@Controller('api/usage-events')
export class UsageEventController {
  constructor(
    private readonly ingest: IngestEvents,
    private readonly findCustomers: FindCustomers,
    private readonly database: Database,
  ) {}

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
    return this.ingest.execute(principal.tenantId, readEnvelope(body, contentType));
  }

  @Get()
  @Operation({
    id: 'listUsageEvents',
    summary: 'List usage events',
    tag: 'Usage',
    permission: 'usage-event:read',
    response: UsageEventList,
    query: usageEventListQuery,
  })
  list(@Caller() principal: Principal, @Query() query: Record<string, unknown>) {
    const asked = readListQuery(query);
    return this.database.tenant(principal.tenantId, async (tx) => {
      const customerId = asked.customer === null ? null : (await this.findCustomers.execute(tx, [asked.customer])).get(asked.customer);
      if (customerId === undefined) return { data: [], meta: { limit: asked.limit }, pagination: { cursor: null } };
      return listUsageEvents(tx, { ...asked, customerId });
    });
  }

  @Get(':id')
  @Operation({ id: 'getUsageEvent', summary: 'Get a usage event', tag: 'Usage', permission: 'usage-event:read', response: UsageEvent })
  get(@Caller() principal: Principal, @Param('id') id: string) {
    const uuid = idOf(id);
    return this.database.tenant(
      principal.tenantId,
      async (tx) => {
        const event = uuid && (await findUsageEvent(tx, uuid));
        if (!event) throw notFound('The usage event');
        return representUsageEvent(event);
      },
      { readOnly: true },
    );
  }
}

/** The stored id of a ULID or of the UUID form of the same 16 bytes. */
function idOf(text: string): string | undefined {
  const upper = text.toUpperCase();
  if (isUlid(upper)) return ulidToUuid(upper);
  return UUID_FORM.test(text.toLowerCase()) ? text.toLowerCase() : undefined;
}
