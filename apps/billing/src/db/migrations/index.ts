import type { Migration } from '@kontor/persistence';
import { customers } from './0001_customers.js';
import { settings } from './0002_settings.js';
import { catalogue } from './0003_catalogue.js';
import { subscriptions } from './0100_subscriptions.js';
import { billingRuns } from './0101_billing_runs.js';
import { usageBilling } from './0110_usage_billing.js';
import { subscriptionMeasurements } from './0120_measurements.js';
import { coupons } from './0130_coupons.js';
import { discounts } from './0131_discounts.js';
import { customerLists } from './0140_customer_lists.js';
import { taxGroupRates } from './0150_tax_group_rates.js';
import { sales } from './0160_sales.js';
import { entitlements } from './0170_entitlements.js';
import { contacts } from './0180_contacts.js';
import { imports } from './0190_imports.js';
import { recurringMovements } from './0200_recurring_movements.js';
import { anonymization } from './0210_anonymization.js';
import { customerMerges } from './0220_customer_merges.js';
import { roomForRuns } from './0230_room_for_runs.js';
import { linesInHand } from './0240_lines_in_hand.js';
import { stuckLines } from './0250_stuck_lines.js';
import { pendingDeletions } from './0260_pending_deletions.js';

/** In the order in which they are applied. */
export const billingMigrations: Migration[] = [
  customers,
  settings,
  catalogue,
  subscriptions,
  billingRuns,
  usageBilling,
  subscriptionMeasurements,
  coupons,
  discounts,
  customerLists,
  taxGroupRates,
  sales,
  entitlements,
  contacts,
  imports,
  recurringMovements,
  anonymization,
  customerMerges,
  roomForRuns,
  linesInHand,
  stuckLines,
  pendingDeletions,
];
