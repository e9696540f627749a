import { Module } from '@nestjs/common';
import { FindBreakdown } from './find-breakdown.js';
import { OnInvoiceChanged } from './on-invoice-changed.js';
import { OnInvoiceFinalizing } from './on-invoice-finalizing.js';
import { PublicUsageController } from './public-usage.controller.js';

@Module({ controllers: [PublicUsageController, OnInvoiceFinalizing, OnInvoiceChanged], providers: [FindBreakdown] })
export class BreakdownsModule {}
