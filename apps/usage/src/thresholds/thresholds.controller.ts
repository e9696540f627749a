import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { CreateThreshold, MAX_THRESHOLDS } from './create-threshold.js';
import { DeleteThreshold } from './delete-threshold.js';
import { UsageThresholdDto } from './threshold.dto.js';
import { getThreshold, listThresholds, THRESHOLD_LIST } from './threshold.read.js';
import { UsageThreshold } from './threshold.schema.js';
import { boundedRead } from '../query-support/bounded-read.js';

const tag = 'Usage';

@Controller('api/usage-thresholds')
export class ThresholdsController {
  constructor(
    private readonly creation: CreateThreshold,
    private readonly deletion: DeleteThreshold,
    private readonly database: Database,
  ) {}

  @Post()
  @Operation({
    id: 'createUsageThreshold',
    summary: 'Wait for usage of a month',
    tag,
    permission: 'usage-event:write',
    response: UsageThreshold,
    description:
      'The webhook usage.threshold.reached comes once per threshold, customer and calendar month. ' +
      `A metric has at most ${MAX_THRESHOLDS} for one customer, and for each: 422 \`too_many_thresholds\`.`,
  })
  create(@Caller() principal: Principal, @Body() dto: UsageThresholdDto) {
    return this.creation.execute(principal.tenantId, dto);
  }

  @Get()
  @Operation({
    id: 'listUsageThresholds',
    summary: 'List usage thresholds',
    tag,
    permission: 'usage-event:read',
    response: UsageThreshold,
  })
  list(@Caller() principal: Principal, @List(THRESHOLD_LIST) list: ListQuery) {
    return boundedRead(this.database, principal.tenantId, (tx) => listThresholds(tx, list));
  }

  @Get(':id')
  @Operation({
    id: 'getUsageThreshold',
    summary: 'Get a usage threshold',
    tag,
    permission: 'usage-event:read',
    response: UsageThreshold,
  })
  get(@Caller() principal: Principal, @IdParam() id: string) {
    return boundedRead(this.database, principal.tenantId, (tx) => getThreshold(tx, id));
  }

  @Delete(':id')
  @Operation({
    id: 'deleteUsageThreshold',
    summary: 'Remove a usage threshold',
    tag,
    permission: 'usage-event:write',
    success: 204,
  })
  remove(@Caller() principal: Principal, @IdParam() id: string): Promise<void> {
    return this.deletion.execute(principal.tenantId, id);
  }
}
