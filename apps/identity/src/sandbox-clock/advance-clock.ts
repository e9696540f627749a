import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { sandboxOnly } from '@kontor/service-kit';
import { type SandboxClockRow, sandboxClocks } from '../db/sandbox-clock.row.js';
import { lockTenant } from '../published-events.js';

/** Due work that advances one tenant's clock. It is due in real time, because it is what moves the sandbox time. */
export const ADVANCE = 'identity.clock-advance';

/** Starts an advance; `DriveClock` carries it out after the commit, and resumes it after a crash. */
@Injectable()
export class AdvanceClock {
  /**
   * @throws DomainError 403 `sandbox_only`; 409 `request_in_progress` while an advance is under way;
   * 422 `clock_moves_forward_only` for a time before the tenant's present.
   */
  async execute(tx: TenantTx, to: Date, realNow: Date): Promise<SandboxClockRow> {
    const tenant = await lockTenant(tx);
    if (tenant.mode !== 'sandbox') throw sandboxOnly();
    const known = await sandboxClocks.findOne(tx, {});
    if (known?.status === 'advancing') {
      throw new DomainError('request_in_progress', {
        kind: 'conflict',
        detail: `The clock is being advanced to ${known.target?.toISOString()}.`,
        retryAfterSeconds: 1,
      });
    }
    if (to < tx.now)
      throw new DomainError('clock_moves_forward_only', {
        detail: `to must not be before the clock's time, ${tx.now.toISOString()}.`,
      });
    const clock: SandboxClockRow = {
      tenantId: tx.tenantId,
      status: 'advancing',
      target: to,
      parkedBefore: null,
      problems: [],
    };
    await sandboxClocks.save(tx, clock);
    await scheduleDue(tx, { kind: ADVANCE, ref: tx.tenantId, dueAt: realNow, wall: true });
    return clock;
  }
}
