import { Body, Controller, Get, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database, type TenantTx } from '@kontor/persistence';
import { Caller, Operation, sandboxOnly } from '@kontor/service-kit';
import { type SandboxClockRow, sandboxClocks } from '../db/sandbox-clock.row.js';
import { tenants } from '../db/tenant.row.js';
import { AdvanceClock } from './advance-clock.js';
import { clockSchema } from './sandbox-clock.schema.js';
import { AdvanceClockDto } from './sandbox-clock.dto.js';

const represent = (now: Date, clock: SandboxClockRow | null) => ({
  now: now.toISOString(),
  status: clock?.status ?? 'ready',
  problems: clock?.problems ?? [],
});

@Controller('sandbox/clock')
export class SandboxClockController {
  constructor(
    private readonly db: Database,
    private readonly advanceClock: AdvanceClock,
  ) {}

  @Get()
  @Operation({
    id: 'getSandboxClock',
    summary: 'Where the sandbox clock stands',
    tag: 'Sandbox',
    permission: 'settings:read',
    whenClosed: true,
    response: clockSchema,
  })
  get(@Caller() caller: Principal) {
    return this.db.tenant(caller.tenantId, (tx) => this.read(tx), { readOnly: true });
  }

  @Post('advance')
  @Operation({
    id: 'advanceSandboxClock',
    summary: 'Let time pass up to an instant',
    description:
      'Everything due up to and including `to` happens in order, as if time had passed. Ask for the clock until it is `ready`.',
    tag: 'Sandbox',
    permission: 'settings:write',
    whenClosed: true,
    success: 202,
    response: clockSchema,
    errors: { 409: 'The clock is being advanced.', 422: 'The clock moves forward only.' },
  })
  advance(@Caller() caller: Principal, @Body() body: AdvanceClockDto) {
    return this.db.tenant(caller.tenantId, async (tx) =>
      represent(tx.now, await this.advanceClock.execute(tx, new Date(body.to), new Date())),
    );
  }

  private async read(tx: TenantTx) {
    const { mode } = await tenants.findOneOrFail(tx, {});
    if (mode !== 'sandbox') throw sandboxOnly();
    return represent(tx.now, await sandboxClocks.findOne(tx, {}));
  }
}
