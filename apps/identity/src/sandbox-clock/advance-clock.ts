import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { sandboxOnly } from '@kontor/service-kit';
import { SandboxClockRow } from '../db/sandbox-clock.row.js';
import { lockTenant } from '../published-events.js';

/** Due work that drives one tenant's clock. On real time: it is what moves the other one. */
export const ADVANCE = 'identity.clock-advance';

/** Begins an advance; `DriveClock` does it after the commit, and takes it up again after a crash. */
@Injectable()
export class AdvanceClock {
  /**
   * @throws DomainError 403 `sandbox_only`; 409 `request_in_progress` while an advance is under way;
   * 422 `clock_moves_forward_only` for a time before the tenant's present.
   */
  async execute(tx: TenantTx, to: Date, realNow: Date): Promise<SandboxClockRow> {
    const tenant = await lockTenant(tx);
    if (tenant.mode !== 'sandbox') throw sandboxOnly();
    const clock = (await tx.manager.findOneBy(SandboxClockRow, { tenantId: tx.tenantId })) ?? new SandboxClockRow();
    if (clock.status === 'advancing') {
      throw new DomainError('request_in_progress', {
        status: 409,
        detail: `The clock is on its way to ${clock.target?.toISOString()}.`,
        retryAfterSeconds: 1,
      });
    }
    if (to < tx.now) throw new DomainError('clock_moves_forward_only', { detail: `The clock stands at ${tx.now.toISOString()}.` });
    Object.assign(clock, { tenantId: tx.tenantId, status: 'advancing', target: to, parkedBefore: null, problems: [] });
    await tx.manager.save(SandboxClockRow, clock);
    await scheduleDue(tx, { kind: ADVANCE, ref: tx.tenantId, dueAt: realNow, wall: true });
    return clock;
  }
}
