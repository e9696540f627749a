import { Module } from '@nestjs/common';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { CancelCharge } from './cancel-charge.js';
import { Collect, CollectDue, SweepCollections } from './collect.js';
import { PayerLinks } from './payer-links.js';
import { RetryCollection } from './retry-collection.js';
import { SettleCollections } from './settle-collections.js';
import { TryNewDefault } from './try-new-default.js';

/** Money that gateways collect: asked for, settled, tried again. */
@Module({
  imports: [CustomerBooksModule],
  providers: [
    Collect,
    CollectDue,
    SweepCollections,
    CancelCharge,
    RetryCollection,
    TryNewDefault,
    SettleCollections,
    PayerLinks,
  ],
  exports: [SettleCollections, PayerLinks],
})
export class CollectionsModule {}
