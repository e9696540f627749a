import { Module } from '@nestjs/common';
import { BillImmediately } from './bill-immediately.js';
import { LoadRatingContext } from './load-rating-context.js';
import { SaveCharges } from './save-charges.js';

/** Loads billing accounts for rating and stores the lines that rating makes of them. */
@Module({
  providers: [BillImmediately, LoadRatingContext, SaveCharges],
  exports: [BillImmediately, LoadRatingContext, SaveCharges],
})
export class ChargingModule {}
