import { Module } from '@nestjs/common';
import { ChangeDatevSettings } from '../datev/datev-settings.js';
import { DatevController } from '../datev/datev.controller.js';
import { ExportBatch } from '../datev/export-batch.js';
import { LedgerController } from './api/ledger.controller.js';
import { ReadLedger } from './api/ledger.read.js';
import { PageTransfers } from './api/page-transfers.js';

/** What is read of the ledger: lists, CSV, and the batch for the bookkeeper. */
@Module({
  controllers: [DatevController, LedgerController],
  providers: [ReadLedger, PageTransfers, ExportBatch, ChangeDatevSettings],
})
export class LedgerModule {}
