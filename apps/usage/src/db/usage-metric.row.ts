import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MetricDefinition } from '../domain/metrics/metric.js';

/** A metric with the state of its rollups. */
@Entity('usage_metric')
export class UsageMetricRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('integer') version!: number;
  @Column('text') code!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') eventName!: string;
  @Column('text') aggregationType!: MetricDefinition['aggregationType'];
  @Column('text', { nullable: true }) property!: string | null;
  @Column('text', { nullable: true }) percentile!: string | null;
  @JsonColumn() filters!: MetricDefinition['filters'];
  @JsonColumn() groupBy!: string[];
  @Column('text', { nullable: true }) unit!: string | null;
  @JsonColumn({ nullable: true }) rounding!: MetricDefinition['rounding'];
  /** The narrowest buckets that are kept. */
  @Column('text') rollup!: 'day' | 'hour';
  @Column('text') status!: 'active' | 'archived';
  /** Changes with what is counted: the rollups of earlier definitions are removed in the background. */
  @Column('uuid') rollupId!: string;
  /** Zone of the day buckets. */
  @Column('text') bucketZone!: string;
  /** While rollups are being built: events from (builtFrom, builtFromId) on are in them. Null: all are. */
  @InstantColumn({ nullable: true }) builtFrom!: Date | null;
  @Column('uuid', { nullable: true }) builtFromId!: string | null;
  /** What arrived before was partly removed by retention when the rollups were begun. Null: nothing was. */
  @InstantColumn({ nullable: true }) countsFrom!: Date | null;
  /** Some threshold waits for it: changes of its rollups are noted. */
  @Column('boolean') watched!: boolean;
  /** Begin of the month for which thresholds of levels were checked. */
  @InstantColumn({ nullable: true }) levelsSeen!: Date | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export const usageMetrics = rowTable(UsageMetricRow);
