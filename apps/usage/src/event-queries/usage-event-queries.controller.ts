import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Caller, Operation, type QueryOf, ServiceConfig } from '@kontor/service-kit';
import { DiscoverEvents } from './discover-events.js';
import { storedIdOf } from './event-id.js';
import { FindCustomers } from '../customers/find-customers.js';
import { discoverQuery, readDiscoverQuery } from './read-discover-query.js';
import { readListQuery, usageEventListQuery } from './read-list-query.js';
import { findUsageEvent, listUsageEvents, representUsageEvent } from './usage-event.read.js';
import { DiscoveredEvents, UsageEvent, UsageEventList } from './usage-event.schema.js';
import { boundedRead } from '../query-support/bounded-read.js';

@Controller('api/usage-events')
export class UsageEventQueriesController {
  constructor(
    private readonly findCustomers: FindCustomers,
    private readonly discoverEvents: DiscoverEvents,
    private readonly database: Database,
    private readonly config: ServiceConfig,
  ) {}

  @Get()
  @Operation({
    id: 'listUsageEvents',
    summary: 'List usage events',
    tag: 'Usage',
    permission: 'usage-event:read',
    response: UsageEventList,
    query: usageEventListQuery,
  })
  list(@Caller() { tenantId }: Principal, @Query() query: QueryOf<typeof usageEventListQuery>) {
    const seal = { tenantId, secret: this.config.internalSecret };
    const asked = readListQuery(query, seal);
    const read = async (tx: TenantTx) => {
      const customerId =
        asked.customer === null ? null : (await this.findCustomers.execute(tx, [asked.customer])).get(asked.customer);
      if (customerId === undefined) return { data: [], meta: { limit: asked.limit }, pagination: { cursor: null } };
      return listUsageEvents(tx, { ...asked, customerId }, seal);
    };
    return boundedRead(this.database, tenantId, read, { readOnly: false });
  }

  @Get('discover')
  @Operation({
    id: 'discoverUsageEvents',
    summary: 'Find event names and properties',
    tag: 'Usage',
    permission: 'usage-event:read',
    response: DiscoveredEvents,
    query: discoverQuery,
    description: 'Names and properties of the latest events, to make a metric of them.',
  })
  discover(@Caller() { tenantId }: Principal, @Query() query: QueryOf<typeof discoverQuery>) {
    return this.discoverEvents.execute(tenantId, readDiscoverQuery(query));
  }

  @Get(':id')
  @Operation({
    id: 'getUsageEvent',
    summary: 'Get a usage event',
    tag: 'Usage',
    permission: 'usage-event:read',
    response: UsageEvent,
  })
  get(@Caller() principal: Principal, @Param('id') id: string) {
    const uuid = storedIdOf(id);
    return boundedRead(this.database, principal.tenantId, async (tx) => {
      const event = uuid && (await findUsageEvent(tx, uuid));
      if (!event) throw notFound('The usage event');
      return representUsageEvent(event);
    });
  }
}
