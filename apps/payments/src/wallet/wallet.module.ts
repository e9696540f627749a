import { Module } from '@nestjs/common';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { AdjustWallet } from './adjust-wallet.js';
import { ApplyCredit } from './apply-credit.js';
import { ExpireCredit } from './expire-credit.js';
import { OnCreditRulesChanged } from './on-credit-rules-changed.js';
import { WalletFeatureGuard } from './wallet-feature.js';
import { WalletController } from './wallet.controller.js';
import { ReadWallets } from './wallet.read.js';

/** Customers' credit: read, adjusted, applied to what is open, and its end. */
@Module({
  imports: [CustomerBooksModule],
  controllers: [WalletController, OnCreditRulesChanged],
  providers: [AdjustWallet, ReadWallets, ApplyCredit, ExpireCredit, WalletFeatureGuard],
})
export class WalletModule {}
