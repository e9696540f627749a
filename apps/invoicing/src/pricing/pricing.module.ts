import { Module } from '@nestjs/common';
import { InvoiceContexts } from './invoice-context.js';

/** What documents are priced with. */
@Module({
  providers: [InvoiceContexts],
  exports: [InvoiceContexts],
})
export class PricingModule {}
