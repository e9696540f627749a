import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value that usage of a calendar month may reach. */
@Entity('usage_threshold')
export class UsageThresholdRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Counts its events. */
  @Column('integer') version!: number;
  @Column('uuid') metricId!: string;
  /** Null: each customer by itself. */
  @Column('uuid', { nullable: true }) customerId!: string | null;
  /** A decimal. */
  @Column('numeric') value!: string;
  @InstantColumn() createdAt!: Date;
}

export const usageThresholds = rowTable(UsageThresholdRow);
