import type { Migration } from '@kontor/persistence';
import { documents } from './0001_documents.js';
import { paymentsAndRates } from './0002_payments_and_rates.js';
import { refunds } from './0010_refunds.js';
import { usageBreakdown } from './0120_usage_breakdown.js';
import { originals } from './0130_originals.js';
import { largeNotices } from './0140_large_notices.js';
import { corrections } from './0150_corrections.js';
import { invoiceLists } from './0150_invoice_lists.js';
import { dunning } from './0170_dunning.js';
import { ownPdfs } from './0180_own_pdfs.js';
import { customerMerges } from './0190_customer_merges.js';
import { customerTrees } from './0200_customer_trees.js';
import { removedCharges } from './0210_removed_charges.js';
import { waitsForPayer } from './0220_waits_for_payer.js';
import { partsOfDrafts } from './0230_parts_of_drafts.js';
import { immutable } from './0160_immutable.js';

export const invoicingMigrations: Migration[] = [
  documents,
  paymentsAndRates,
  refunds,
  usageBreakdown,
  originals,
  largeNotices,
  corrections,
  invoiceLists,
  immutable,
  dunning,
  ownPdfs,
  customerMerges,
  customerTrees,
  removedCharges,
  waitsForPayer,
  partsOfDrafts,
];
