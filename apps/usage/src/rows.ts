import { UsageBreakdownRow } from './breakdowns/usage-breakdown.row.js';
import { UsageClosingRow } from './closings/usage-closing.row.js';
import { UsageEventRow } from './db/usage-event.row.js';
import { UsageMetricRow } from './db/usage-metric.row.js';
import { UsageTenantRow } from './db/usage-tenant.row.js';
import { UsageEventKeyRow } from './event-store/usage-event-key.row.js';
import { UsageImportRow } from './file-import/usage-import.row.js';
import { UsageIntakeOffsetRow } from './kafka-ingestion/usage-intake-offset.row.js';
import { UsageIntakeParkedRow } from './kafka-ingestion/usage-intake-parked.row.js';
import { UsageMetricVersionRow } from './rollups/usage-metric-version.row.js';
import { UsageRollupRow } from './rollups/usage-rollup.row.js';
import { UsageThresholdHitRow } from './thresholds/usage-threshold-hit.row.js';
import { UsageThresholdRow } from './thresholds/usage-threshold.row.js';
import { UsageTouchedRow } from './thresholds/usage-touched.row.js';

/** A class per table. Day partitions have the columns of their parent. */
export const usageRows = [
  UsageEventRow,
  UsageEventKeyRow,
  UsageTenantRow,
  UsageIntakeOffsetRow,
  UsageIntakeParkedRow,
  UsageMetricRow,
  UsageMetricVersionRow,
  UsageRollupRow,
  UsageThresholdRow,
  UsageThresholdHitRow,
  UsageTouchedRow,
  UsageClosingRow,
  UsageImportRow,
  UsageBreakdownRow,
];
