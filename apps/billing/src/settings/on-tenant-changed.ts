import { type EventOf, tenantChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { TenantSetup } from './tenant-setup.js';

/** A tenant appeared: it gets its settings, tax groups and default measurement. */
@EventConsumer()
export class OnTenantChanged {
  constructor(private readonly setup: TenantSetup) {}

  @Consume(tenantChangedV1)
  async handle(event: EventOf<typeof tenantChangedV1>, tx: TenantTx): Promise<void> {
    const { state } = event.payload;
    if (state) await this.setup.ensure(tx, state);
  }
}
