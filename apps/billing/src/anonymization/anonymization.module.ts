import { Module } from '@nestjs/common';
import { AnonymizationController } from './anonymization.controller.js';
import { AnonymizationHandler } from './anonymization.handler.js';
import { AskServices } from './ask-services.js';
import { EndOfTermHandler } from './end-of-term.handler.js';
import { ExportCustomerController } from './export-customer.controller.js';
import { AnonymizeCustomer } from './anonymize-customer.js';

/** What customers may ask for: everything that is known of them, and that it is taken away. */
@Module({
  controllers: [AnonymizationController, ExportCustomerController],
  providers: [AnonymizeCustomer, AskServices, AnonymizationHandler, EndOfTermHandler],
})
export class AnonymizationModule {}
