import { Controller, Get } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, List, type ListQuery, Operation } from '@kontor/service-kit';
import { LoggedEvent } from './event.schema.js';
import { EVENT_FILTERS, ReadEvents } from './events.read.js';

@Controller('events')
export class EventsController {
  constructor(private readonly read: ReadEvents) {}

  @Get()
  @Operation({
    id: 'listEvents',
    summary: 'What happened: every event that receivers can get, newest first',
    tag: 'Webhooks',
    permission: 'webhook:read',
    response: LoggedEvent,
    errors: { 422: '`query_too_large`: the events of a page have more than 20 MB together; ask for fewer.' },
  })
  list(
    @Caller() principal: Principal,
    @List({ filters: EVENT_FILTERS, ranges: ['createdAt'], order: ['createdAt'] }) list: ListQuery,
  ) {
    return this.read.list(principal.tenantId, list);
  }
}
