import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module.js';
import { PartitionsModule } from '../partitions/partitions.module.js';
import { RollupsModule } from '../rollups/rollups.module.js';
import { CountBatch } from './count-batch.js';
import { EventWriter } from './event-writer.js';
import { IngestEvents } from './ingest-events.js';
import { InsertRequests } from './insert-requests.js';
import { TenantStates } from './tenant-states.js';

/** Writes events, whichever way they come in. `IngestEvents` is all that HTTP and files need. */
@Module({
  imports: [CustomersModule, PartitionsModule, RollupsModule],
  providers: [TenantStates, CountBatch, InsertRequests, EventWriter, IngestEvents],
  exports: [IngestEvents, TenantStates, CountBatch],
})
export class EventStoreModule {}
