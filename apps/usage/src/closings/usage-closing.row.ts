import type { UsageAmount } from '@kontor/contracts';
import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A billed period with its frozen amounts. */
@Entity('usage_closing')
export class UsageClosingRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') itemId!: string;
  @Column('uuid') customerId!: string;
  @Column('uuid') metricId!: string;
  /** What the metric meant when the period was closed: another definition corrects nothing. */
  @Column('text') meaning!: string;
  /** weighted_sum: events before the period count too. */
  @Column('boolean') carries!: boolean;
  @InstantColumn() fromAt!: Date;
  @InstantColumn() toAt!: Date;
  @JsonColumn() groupBy!: string[];
  /** Null until it is measured, like the next two. */
  @Column('text', { nullable: true }) value!: string | null;
  @JsonColumn({ nullable: true }) groups!: UsageAmount['groups'] | null;
  @InstantColumn({ nullable: true }) measuredAt!: Date | null;
  /** Until a change of it was published: afterwards the closing that follows is watched. */
  @Column('boolean') watched!: boolean;
  @InstantColumn() createdAt!: Date;
}

export const usageClosings = rowTable(UsageClosingRow);
