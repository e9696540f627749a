import type { Migration } from '@kontor/persistence';
import { ledger } from './0001_ledger.js';
import { intentsAndWallets } from './0002_intents_and_wallets.js';
import { collectionRetries } from './0010_collection_retries.js';
import { gatewayNotices } from './0011_gateway_notices.js';
import { paymentMethodDetails } from './0020_payment_method_details.js';
import { methodLinks } from './0021_method_links.js';
import { sepaFiles } from './0022_sepa_files.js';
import { methodsAtProviders } from './0023_methods_at_providers.js';
import { payerPages } from './0024_payer_pages.js';
import { bank } from './0030_bank.js';
import { paymentsOfSeveral } from './0031_payments_of_several.js';
import { recordedPayments } from './0032_recorded_payments.js';
import { narrowMatching } from './0033_narrow_matching.js';
import { topUps } from './0040_top_ups.js';
import { ledgerLists } from './0041_ledger_lists.js';
import { documentTaxes } from './0050_document_taxes.js';
import { paidInCreditStays } from './0060_paid_in_credit_stays.js';
import { accountIdentifications } from './0061_account_identifications.js';
import { corrections } from './0070_corrections.js';
import { customerMerges } from './0080_customer_merges.js';
import { openRegistrations } from './0090_open_registrations.js';
import { payerAmounts } from './0100_payer_amounts.js';
import { topUpLines } from './0110_top_up_lines.js';
import { rejectedOrders } from './0120_rejected_orders.js';
import { creditsInTheirCurrency } from './0130_credits_in_their_currency.js';
import { partsReturned } from './0131_parts_returned.js';

/** In the order in which they are applied. Forward only; a step that was released is never changed. */
export const paymentsMigrations: Migration[] = [
  ledger,
  intentsAndWallets,
  collectionRetries,
  gatewayNotices,
  paymentMethodDetails,
  methodLinks,
  sepaFiles,
  methodsAtProviders,
  payerPages,
  bank,
  paymentsOfSeveral,
  recordedPayments,
  narrowMatching,
  topUps,
  ledgerLists,
  documentTaxes,
  paidInCreditStays,
  corrections,
  accountIdentifications,
  customerMerges,
  openRegistrations,
  payerAmounts,
  topUpLines,
  rejectedOrders,
  creditsInTheirCurrency,
  partsReturned,
];
