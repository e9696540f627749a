import type { Migration } from '@kontor/persistence';
import { events } from './0001_events.js';
import { intake } from './0010_intake.js';
import { metrics } from './0020_metrics.js';
import { thresholds } from './0021_thresholds.js';
import { closings } from './0030_closings.js';
import { imports } from './0040_imports.js';
import { breakdowns } from './0041_breakdowns.js';
import { retention } from './0042_retention.js';
import { customerMerges } from './0050_customer_merges.js';
import { thresholdsOfCustomers } from './0060_thresholds_of_customers.js';
import { contentsOfImports } from './0061_contents_of_imports.js';
import { gaplessIntake } from './0062_gapless_intake.js';
import { closingsOfItems } from './0063_closings_of_items.js';
import { daysMadeOnce } from './0064_days_made_once.js';

/** In the order in which they are applied. */
export const usageMigrations: Migration[] = [
  events,
  intake,
  metrics,
  thresholds,
  closings,
  imports,
  breakdowns,
  retention,
  customerMerges,
  thresholdsOfCustomers,
  contentsOfImports,
  gaplessIntake,
  closingsOfItems,
  daysMadeOnce,
];
