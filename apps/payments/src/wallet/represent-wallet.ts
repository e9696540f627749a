import { money, toMoneyJson } from '@kontor/money';
import type { PaymentMethod } from '../payment-methods/payment-method.row.js';
import type { WalletTransaction } from '../domain/customer-books/wallet.js';
import { representMethod } from '../payment-methods/represent-method.js';
import type { WalletTransactionView } from './wallet.schema.js';

/** One line of a wallet as GET answers it; the amount is signed. */
export const representWalletTransaction = (
  line: WalletTransaction,
  method: PaymentMethod | null,
): WalletTransactionView => ({
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
