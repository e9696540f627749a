import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/index.js';
import { ChangeDatevSettings } from './datev-settings.js';
import { DatevController } from './datev.controller.js';
import { ExportBatch } from './export-batch.js';

/** The batch of bookings for the bookkeeper. */
@Module({ imports: [LedgerModule], controllers: [DatevController], providers: [ExportBatch, ChangeDatevSettings] })
export class DatevModule {}
