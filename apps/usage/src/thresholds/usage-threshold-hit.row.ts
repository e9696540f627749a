import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A threshold that was reached: once per threshold, customer and month. */
@Entity('usage_threshold_hit')
export class UsageThresholdHitRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') thresholdId!: string;
  @PrimaryColumn('uuid') customerId!: string;
  @PrimaryColumn('timestamptz') periodFrom!: Date;
  @InstantColumn() periodTo!: Date;
  /** Usage at that time, a decimal. */
  @Column('numeric') value!: string;
  @InstantColumn() reachedAt!: Date;
}
