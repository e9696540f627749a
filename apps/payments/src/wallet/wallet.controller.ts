import type { Principal } from '@kontor/contracts';
import { Caller, List, type ListQuery, Operation, customerOf } from '@kontor/service-kit';
import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { AdjustWallet } from './adjust-wallet.js';
import { AdjustWalletDto } from './wallet.dto.js';
import { ReadWallets } from './wallet.read.js';
import { WALLET_BALANCES_SCHEMA, WALLET_TRANSACTION_SCHEMA, WALLET_TRANSACTIONS_SCHEMA } from './wallet.schema.js';
import { WalletFeatureGuard } from './wallet-feature.js';

const tag = 'Wallet';
const errors = { 403: '`feature_not_enabled`, `foreign_customer`' };

@Controller('api/wallet')
@UseGuards(WalletFeatureGuard)
export class WalletController {
  constructor(
    private readonly read: ReadWallets,
    private readonly adjust: AdjustWallet,
  ) {}

  @Get('balances')
  @Operation({
    id: 'listWalletBalances',
    summary: 'Credit balances',
    tag,
    permission: 'wallet:read',
    customerTokens: true,
    response: WALLET_BALANCES_SCHEMA,
    errors,
  })
  balances(@Caller() caller: Principal, @List({ filters: { customerId: 'uuid' } }) list: ListQuery) {
    return this.read.balances(caller.tenantId, customerOf(caller, list.filters.customerId), list);
  }

  @Get('transactions')
  @Operation({
    id: 'listWalletTransactions',
    summary: 'Changes of credit, newest first',
    tag,
    permission: 'wallet:read',
    customerTokens: true,
    response: WALLET_TRANSACTIONS_SCHEMA,
    errors,
  })
  transactions(@Caller() caller: Principal, @List({ filters: { customerId: 'uuid' } }) list: ListQuery) {
    return this.read.transactions(caller.tenantId, customerOf(caller, list.filters.customerId), list);
  }

  @Post('adjustments')
  @Operation({
    id: 'adjustWallet',
    summary: 'Give or take credit by hand',
    tag,
    permission: 'wallet:write',
    response: WALLET_TRANSACTION_SCHEMA,
    errors,
  })
  adjustment(@Caller() caller: Principal, @Body() dto: AdjustWalletDto) {
    return this.adjust.execute(caller.tenantId, dto);
  }
}
