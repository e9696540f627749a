import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { ArchiveUsageMetric } from './archive-usage-metric.js';
import { CreateUsageMetric, MAX_METRICS } from './create-usage-metric.js';
import { QueryUsage } from './query-usage.js';
import { type AskedUsage, readUsageQuery, usageQueryParameters } from './read-usage-query.js';
import { ReplaceUsageMetric } from './replace-usage-metric.js';
import { UsageMetricDto } from './usage-metric.dto.js';
import { getMetric, listMetrics, METRIC_LIST, representMetric } from './usage-metric.read.js';
import { UsageMetric, UsageMetricValues } from './usage-metric.schema.js';
import { boundedRead } from '../query-support/bounded-read.js';

const tag = 'Usage';
const [read, write] = ['usage-event:read', 'usage-event:write'];

@Controller('api/usage-metrics')
export class UsageMetricsController {
  constructor(
    private readonly creation: CreateUsageMetric,
    private readonly replacement: ReplaceUsageMetric,
    private readonly archiving: ArchiveUsageMetric,
    private readonly queries: QueryUsage,
    private readonly database: Database,
  ) {}

  @Post()
  @Operation({
    id: 'createUsageMetric',
    summary: 'Create a usage metric',
    tag,
    permission: write,
    response: UsageMetric,
    description: `Events that are there already count too. At most ${MAX_METRICS}, archived ones included: 422 \`too_many_metrics\`.`,
  })
  create(@Caller() principal: Principal, @Body() dto: UsageMetricDto) {
    return this.creation.execute(principal.tenantId, dto);
  }

  @Get()
  @Operation({ id: 'listUsageMetrics', summary: 'List usage metrics', tag, permission: read, response: UsageMetric })
  list(@Caller() principal: Principal, @List(METRIC_LIST) list: ListQuery) {
    return boundedRead(this.database, principal.tenantId, (tx) => listMetrics(tx, list));
  }

  @Get(':id')
  @Operation({ id: 'getUsageMetric', summary: 'Get a usage metric', tag, permission: read, response: UsageMetric })
  get(@Caller() principal: Principal, @IdParam() id: string) {
    return boundedRead(this.database, principal.tenantId, async (tx) => representMetric(await getMetric(tx, id)));
  }

  @Put(':id')
  @Operation({
    id: 'replaceUsageMetric',
    summary: 'Replace a usage metric',
    tag,
    permission: write,
    response: UsageMetric,
    description:
      'What counts differently from now on counts so for the past, too; meanwhile answers are computed from the events.',
  })
  replace(@Caller() principal: Principal, @IdParam() id: string, @Body() dto: UsageMetricDto) {
    return this.replacement.execute(principal.tenantId, id, dto);
  }

  @Put(':id/archive')
  @Operation({
    id: 'archiveUsageMetric',
    summary: 'Archive a usage metric',
    tag,
    permission: write,
    response: UsageMetric,
    description: 'It is not used anew; price plans that have it go on.',
  })
  archive(@Caller() principal: Principal, @IdParam() id: string) {
    return this.archiving.execute(principal.tenantId, id);
  }

  @Get(':id/query')
  @Operation({
    id: 'queryUsageMetric',
    summary: 'Usage over time',
    tag,
    permission: read,
    response: UsageMetricValues,
    query: usageQueryParameters,
    description: [
      'Values of whole hours, days or months of the customer’s calendar, cut at from and to;',
      'without granularity one value.',
      'A part without usage is "0"; with groupBy only groups with usage are shown.',
    ].join(' '),
    errors: { 422: 'too_many_buckets, too_many_groups, too_many_events: the period is too long' },
  })
  query(@Caller() principal: Principal, @IdParam() id: string, @Query() query: AskedUsage) {
    return this.queries.execute(principal.tenantId, id, readUsageQuery(query));
  }
}
