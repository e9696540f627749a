import type { Migration } from '@kontor/persistence';
import { ledger } from './0001_ledger.js';
import { intentsAndWallets } from './0002_intents_and_wallets.js';
import { paymentMethodDetails } from './0020_payment_method_details.js';
import { methodLinks } from './0021_method_links.js';
import { sepaFiles } from './0022_sepa_files.js';
import { bank } from './0030_bank.js';

/** In the order in which they are applied. Forward only; a step that was released is never changed. */
export const paymentsMigrations: Migration[] = [ledger, intentsAndWallets, paymentMethodDetails, methodLinks, sepaFiles, bank];
