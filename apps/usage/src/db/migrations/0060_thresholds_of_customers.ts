import type { Migration } from '@kontor/persistence';

/** Of a metric's thresholds those for each customer are found, and those for one, however many customers have their own. */
export const thresholdsOfCustomers: Migration = {
  name: 'usage_0060_thresholds_of_customers',
  sql: `
CREATE INDEX usage_threshold_of ON usage_threshold (tenant_id, metric_id, customer_id);
DROP INDEX usage_threshold_metric;
`,
};
