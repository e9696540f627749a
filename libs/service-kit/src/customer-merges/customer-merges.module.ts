import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CustomerMergesInternal } from './customer-merges.internal.js';
import { CustomerMover } from './customer-mover.js';
import { OnCustomerUnmerged, SettleUndos } from './settle-undo.js';
import { OnCustomerMerged, SettleMerges } from './settle-merge.js';

/** Lets a service follow when customers are merged: by what its mover does. */
@Module({})
export class CustomerMergesModule {
  static with(mover: Type<CustomerMover>, imports: DynamicModule['imports'] = []): DynamicModule {
    return {
      module: CustomerMergesModule,
      imports,
      controllers: [OnCustomerMerged, OnCustomerUnmerged, CustomerMergesInternal],
      providers: [{ provide: CustomerMover, useClass: mover }, SettleMerges, SettleUndos],
    };
  }
}
