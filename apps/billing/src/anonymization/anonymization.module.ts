import { Module } from '@nestjs/common';
import { AnonymizationController } from './anonymization.controller.js';
import { AnonymizationHandler } from './anonymization.handler.js';
import { AnonymizeCustomer } from './anonymize-customer.js';

/** Customers of whom only what the law asks for is kept. */
@Module({
  controllers: [AnonymizationController],
  providers: [AnonymizeCustomer, AnonymizationHandler],
})
export class AnonymizationModule {}
