import { Body, Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import {
  BodyExample,
  Caller,
  DayString,
  Describe,
  IdParam,
  List,
  type ListOptions,
  type ListQuery,
  Operation,
  OptionalField,
} from '@kontor/service-kit';
import { listRuns, readRun } from './billing-run.read.js';
import { type BillingRunJson, billingRunSchema } from './billing-run.schema.js';
import { RequestRun } from './request-run.js';

@BodyExample({ date: null })
export class RequestRunDto {
  @OptionalField() @DayString() @Describe("Day in the tenant's zone; today when absent.") date?: string | null;
}

const tag = 'Billing runs';
const runs = {
  filters: { status: ['running', 'completed'], date: 'day' },
  order: ['date', 'createdAt'],
} satisfies ListOptions;

@Controller('billing-runs')
export class BillingRunsController {
  constructor(
    private readonly database: Database,
    private readonly requestRun: RequestRun,
  ) {}

  @Post()
  @Operation({
    id: 'requestBillingRun',
    summary: 'Bill at once all that is due until the end of a day',
    tag,
    permission: 'subscription:write',
    success: 202,
    response: billingRunSchema,
  })
  post(@Caller() { tenantId }: Principal, @Body() body: RequestRunDto): Promise<BillingRunJson> {
    return this.requestRun.execute(tenantId, body.date ?? null);
  }

  @Get()
  @Operation({
    id: 'listBillingRuns',
    summary: 'List billing runs',
    tag,
    permission: 'subscription:read',
    response: billingRunSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(runs) list: ListQuery) {
    return this.database.tenant(tenantId, (tx) => listRuns(tx, list), { readOnly: true });
  }

  @Get(':id')
  @Operation({
    id: 'getBillingRun',
    summary: 'Get a billing run',
    tag,
    permission: 'subscription:read',
    response: billingRunSchema,
  })
  get(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<BillingRunJson> {
    return this.database.tenant(tenantId, (tx) => readRun(tx, id), { readOnly: true });
  }
}
