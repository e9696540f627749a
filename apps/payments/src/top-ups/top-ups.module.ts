import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments.module.js';
import { ChangeRules } from './change-rules.js';
import { ConfirmTopUp } from './confirm-top-up.js';
import { StartAutomaticTopUps } from './start-automatic-top-ups.js';
import { TopUpsController } from './top-ups.controller.js';
import { ReadTopUps } from './top-ups.read.js';
import { TopUpWallet } from './top-up-wallet.js';

@Module({
  imports: [PaymentsModule],
  controllers: [TopUpsController],
  providers: [TopUpWallet, ConfirmTopUp, ChangeRules, ReadTopUps, StartAutomaticTopUps],
})
export class TopUpsModule {}
