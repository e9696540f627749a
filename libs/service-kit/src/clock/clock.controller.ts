import { Body, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import type { ClockProgress } from '@kontor/contracts';
import { invariant, isUuid, notFound } from '@kontor/kernel';
import { Messaging } from '@kontor/messaging';
import { Database, type DueFailure, DueRunner, frozenClock, setTenantClock } from '@kontor/persistence';
import { Internal } from '../internal/internal.js';

/** A service's part of a tenant's sandbox clock, which identity drives. @see docs/rules/architecture.md#time */
@Internal('clock')
export class ClockController {
  constructor(
    private readonly database: Database,
    private readonly dueRunner: DueRunner,
    private readonly messaging: Messaging,
  ) {}

  /** What is due here, and how far the tenant's events have come. Due work is read first: its events then show in the counters. */
  @Get(':tenantId')
  async progress(@Param('tenantId') tenantId: string): Promise<ClockProgress> {
    checked(tenantId);
    const frozen = await this.database.system((sql) => frozenClock(sql, tenantId));
    const claimed = await this.dueRunner.claimed(tenantId);
    const nextDue = await this.dueRunner.nextDue(tenantId);
    const { unpublished, published, applied, parked } = await this.messaging.progress(tenantId);
    return {
      now: (frozen ?? this.database.clock()).toISOString(),
      nextDue: nextDue?.toISOString() ?? null,
      claimed,
      unpublished,
      published,
      applied,
      parked,
    };
  }

  /** Freezes the tenant's time here; never moves it back. */
  @Put(':tenantId')
  async set(@Param('tenantId') tenantId: string, @Body() body: { now: string }): Promise<{ now: string }> {
    const now = await this.database.system((sql) => setTenantClock(sql, checked(tenantId), instant(body.now)));
    return { now: now.toISOString() };
  }

  /** Does everything that is due up to and including `upTo`; answers when nothing more can be claimed here. */
  @Post(':tenantId/run-due')
  @HttpCode(200)
  async runDue(
    @Param('tenantId') tenantId: string,
    @Body() body: { upTo: string },
  ): Promise<{ failures: DueFailure[] }> {
    return { failures: await this.dueRunner.runDue(checked(tenantId), instant(body.upTo)) };
  }
}

function checked(tenantId: string): string {
  if (!isUuid(tenantId)) throw notFound('The tenant');
  return tenantId;
}

function instant(text: string): Date {
  const at = new Date(text);
  invariant(!Number.isNaN(at.getTime()), 'identity sends an ISO instant');
  return at;
}
