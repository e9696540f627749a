import { BigintColumn } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';

/** Version of a tenant's metric definitions; written by `usage_metrics_changed` only. */
@Entity('usage_metric_version')
export class UsageMetricVersionRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @BigintColumn() version!: bigint;
}
