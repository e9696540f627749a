import { Module } from '@nestjs/common';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { RefundInvoice } from './refund-invoice.js';
import { RefundController } from './refund.controller.js';

/** Refunds of paid invoices. */
@Module({
  imports: [FinalizationModule, InvoicesModule, PricingModule],
  controllers: [RefundController],
  providers: [RefundInvoice],
})
export class RefundsModule {}
