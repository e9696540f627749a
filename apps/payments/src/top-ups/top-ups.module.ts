import { Module } from '@nestjs/common';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { WalletFeatureGuard } from '../wallet/wallet-feature.js';
import { ChangeRules } from './change-rules.js';
import { ConfirmTopUp } from './confirm-top-up.js';
import { StartAutomaticTopUps } from './start-automatic-top-ups.js';
import { TopUpsController } from './top-ups.controller.js';
import { ReadTopUps } from './top-ups.read.js';
import { TopUpWallet } from './top-up-wallet.js';

@Module({
  imports: [CustomerBooksModule],
  controllers: [TopUpsController],
  providers: [TopUpWallet, ConfirmTopUp, ChangeRules, ReadTopUps, StartAutomaticTopUps, WalletFeatureGuard],
})
export class TopUpsModule {}
