import { money, toMoneyJson } from '@kontor/money';
import type { Wallet } from '../domain/customer-books/wallet.js';

/** A wallet's balance as GET answers it. */
export const representBalance = (wallet: Pick<Wallet, 'customerId' | 'currencyCode' | 'balanceMinor'>) => ({
  customerId: wallet.customerId,
  currencyCode: wallet.currencyCode,
  balance: toMoneyJson(money(wallet.balanceMinor, wallet.currencyCode)),
});
