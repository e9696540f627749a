import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CustomerReferencesInternal } from './customer-references.internal.js';
import { CustomerReferences } from './customer-references.js';

/** Lets a service keep customers from being deleted: by what it keeps of them. */
@Module({})
export class CustomerReferencesModule {
  static with(references: Type<CustomerReferences>): DynamicModule {
    return {
      module: CustomerReferencesModule,
      controllers: [CustomerReferencesInternal],
      providers: [{ provide: CustomerReferences, useClass: references }],
    };
  }
}
