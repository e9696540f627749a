import { Module } from '@nestjs/common';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { CheckMerge } from './check-merge.js';
import { MergeCustomers } from './merge-customers.js';
import { ReadMerges } from './merge.read.js';
import { MergingController } from './merging.controller.js';
import { MoveAgreements } from './move-agreements.js';
import { UndoMerge } from './undo-merge.js';

/** Making one customer of several. */
@Module({
  imports: [SubscriptionsModule],
  controllers: [MergingController],
  providers: [CheckMerge, MergeCustomers, MoveAgreements, ReadMerges, UndoMerge],
})
export class MergingModule {}
