import { Module } from '@nestjs/common';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { ArchiveCustomer } from './archive-customer.js';
import { SuspendCustomer } from './suspend-customer.js';
import { ArchivingController } from './archiving.controller.js';

/** Archiving a customer, and what becomes of its subscriptions. */
@Module({
  imports: [SubscriptionsModule],
  controllers: [ArchivingController],
  providers: [ArchiveCustomer, SuspendCustomer],
})
export class ArchivingModule {}
