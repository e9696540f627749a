import type { TenantTx } from '@kontor/persistence';
import { CustomerReferences } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { usageEvents } from '../db/usage-event.row.js';
import { lockMetrics } from '../rollups/build-rollups.js';
import { usageThresholds } from '../thresholds/usage-threshold.row.js';

/** A customer stays while it has used something, or its usage is watched. */
@Injectable()
export class ReferringUsage extends CustomerReferences {
  async find(tx: TenantTx, customerId: string): Promise<string[]> {
    return [
      ...((await usageEvents.exists(tx, { customerId })) ? ['usage_event'] : []),
      ...((await usageThresholds.exists(tx, { customerId })) ? ['usage_threshold'] : []),
    ];
  }

  /** Whoever adds events holds no copies: it relies on the version of all of them, which it looks at under this lock. */
  override awaitOthers(tx: TenantTx): Promise<void> {
    return lockMetrics(tx);
  }
}
