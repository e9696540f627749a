import { Module } from '@nestjs/common';
import { CustomerReferencesInternal } from './customer-references.internal.js';

/** What concerns the service as a whole. */
@Module({
  controllers: [CustomerReferencesInternal],
})
export class OperationsModule {}
