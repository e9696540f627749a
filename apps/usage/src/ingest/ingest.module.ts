import { Global, Module } from '@nestjs/common';
import { FindCustomers } from '../events/find-customers.js';
import { IngestEvents } from '../events/ingest-events.js';
import { Leaves } from '../partitions/leaves.js';
import { RetentionHandler } from '../partitions/retention.handler.js';
import { Retention } from '../partitions/retention.js';
import { RollupsModule } from '../rollups/rollups.module.js';
import { CountBatch } from './count-batch.js';
import { EventWriter } from './event-writer.js';
import { InsertRequests } from './insert-requests.js';
import { TenantStates } from './tenant-states.js';

/** Storing of events, for whoever takes them in. */
@Global()
@Module({
  imports: [RollupsModule],
  providers: [FindCustomers, TenantStates, CountBatch, InsertRequests, Leaves, Retention, RetentionHandler, EventWriter, IngestEvents],
  exports: [RollupsModule, FindCustomers, TenantStates, CountBatch, Leaves, IngestEvents],
})
export class IngestModule {}
