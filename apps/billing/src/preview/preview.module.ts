import { Module } from '@nestjs/common';
import { ChargingModule } from '../charging/charging.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { BilledTaxes } from './billed-taxes.js';
import { MeasuredPreview } from './measured-preview.js';
import { RatePreview } from './rate-preview.js';

/** Rates what is not stored: what would be billed. */
@Module({
  imports: [ChargingModule, MeteringModule],
  providers: [BilledTaxes, MeasuredPreview, RatePreview],
  exports: [MeasuredPreview, RatePreview],
})
export class PreviewModule {}
