import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { StartRefunds } from './start-refunds.js';
import { StopRefunds } from './stop-refunds.js';
import { SubmitRefunds, RefundDue, SweepRefunds } from './submit-refunds.js';

/** Money of refund documents that goes back the way it came. */
@Module({
  imports: [CollectionsModule],
  providers: [StartRefunds, StopRefunds, SubmitRefunds, RefundDue, SweepRefunds],
  exports: [StartRefunds, StopRefunds],
})
export class RefundsModule {}
