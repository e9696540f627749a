import { BankAccountRow } from './bank/accounts/bank-account.row.js';
import { BankEntryRow } from './bank/import/bank-entry.row.js';
import { BankImportRow } from './bank/import/bank-import.row.js';
import { BankAssignmentRow } from './bank/lines/bank-assignment.row.js';
import { BankPayerRow } from './bank/lines/bank-payer.row.js';
import { BankTransactionRow } from './bank/lines/bank-transaction.row.js';
import { DocumentShapeRow } from './bank/matching/document-shape.row.js';
import { AllocationRow } from './customer-books/allocation.row.js';
import { CustomerBooksRow } from './customer-books/customer-books.row.js';
import { IntentRow } from './customer-books/intent.row.js';
import { LotRow } from './customer-books/lot.row.js';
import { TransactionRow } from './customer-books/transaction.row.js';
import { WalletTransactionRow } from './customer-books/wallet-transaction.row.js';
import { WalletRow } from './customer-books/wallet.row.js';
import { DatevSettingsRow } from './datev/datev-settings.row.js';
import { DocumentTaxRow } from './datev/document-tax.row.js';
import { MethodLinkRow } from './db/method-link.row.js';
import { GatewayNoticeRow } from './gateway-callbacks/gateway-notice.row.js';
import { LedgerAccountRow } from './ledger/ledger-account.row.js';
import { LedgerBalanceRow } from './ledger/ledger-balance.row.js';
import { LedgerTransferRow } from './ledger/ledger-transfer.row.js';
import { PayerPageRow } from './payer-pages/payer-page.row.js';
import { PaymentMethodRow } from './payment-methods/payment-method.row.js';
import { RegistrationRow } from './payment-methods/registration.row.js';
import { SepaFileRow } from './sepa/sepa-file.row.js';
import { SepaOrderRow } from './sepa/sepa-order.row.js';
import { AutoTopUpRuleRow } from './top-ups/auto-top-up-rule.row.js';
import { TopUpRow } from './top-ups/top-up.row.js';

/** Every table of this service. */
export const paymentsRows = [
  AllocationRow,
  AutoTopUpRuleRow,
  BankAccountRow,
  BankAssignmentRow,
  BankEntryRow,
  BankImportRow,
  BankPayerRow,
  BankTransactionRow,
  CustomerBooksRow,
  DatevSettingsRow,
  DocumentShapeRow,
  DocumentTaxRow,
  GatewayNoticeRow,
  IntentRow,
  LedgerAccountRow,
  LedgerBalanceRow,
  LedgerTransferRow,
  LotRow,
  MethodLinkRow,
  PayerPageRow,
  PaymentMethodRow,
  RegistrationRow,
  SepaFileRow,
  SepaOrderRow,
  TopUpRow,
  TransactionRow,
  WalletRow,
  WalletTransactionRow,
] as const;
