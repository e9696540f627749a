import { Module } from '@nestjs/common';
import { LedgerController } from './api/ledger.controller.js';
import { ReadLedger } from './api/ledger.read.js';
import { PageTransfers } from './api/page-transfers.js';

/** What is read of the ledger: lists and CSV. */
@Module({ controllers: [LedgerController], providers: [ReadLedger, PageTransfers], exports: [PageTransfers] })
export class LedgerModule {}
