import { money, toMoneyJson } from '@kontor/money';
import type { PaymentMethod } from '../db/tables.js';
import type { Wallet, WalletTransaction } from '../domain/wallet.js';
import { representMethod } from '../methods/represent-method.js';

/** A wallet's balance as GET answers it. */
export const representBalance = (wallet: Pick<Wallet, 'customerId' | 'currencyCode' | 'balanceMinor'>) => ({
  customerId: wallet.customerId,
  currencyCode: wallet.currencyCode,
  balance: toMoneyJson(money(wallet.balanceMinor, wallet.currencyCode)),
});

/** One line of a wallet as GET answers it; the amount is signed. */
export const representWalletTransaction = (line: WalletTransaction, method: PaymentMethod | null) => ({
  id: line.id,
  customerId: line.customerId,
  type: line.type,
  amount: toMoneyJson(money(line.amountMinor, line.currencyCode)),
  balanceAfter: toMoneyJson(money(line.balanceAfterMinor, line.currencyCode)),
  invoiceId: line.invoiceId,
  originalPaymentMethod: method ? representMethod(method) : null,
  gateway: line.origin.gatewayName,
  transactionReference: line.origin.reference,
  description: line.description,
  createdAt: line.createdAt.toISOString(),
});
