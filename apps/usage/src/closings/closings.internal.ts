import type { CloseUsageRequest, CloseUsageResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { Body, HttpCode, Post } from '@nestjs/common';
import { CloseUsage } from './close-usage.js';
import { boundedRead } from '../query-support/bounded-read.js';

/** For billing: the usage of a batch of accounts, by one call. */
@Internal('closings')
export class ClosingsInternal {
  constructor(
    private readonly close: CloseUsage,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  freeze(@Caller() { tenantId }: Principal, @Body() body: unknown): Promise<CloseUsageResponse> {
    return this.close.execute(tenantId, (body as CloseUsageRequest).periods);
  }

  @Post('preview')
  @HttpCode(200)
  preview(@Caller() { tenantId }: Principal, @Body() body: unknown): Promise<CloseUsageResponse> {
    return boundedRead(this.database, tenantId, (tx) => this.close.preview(tx, (body as CloseUsageRequest).periods));
  }
}
