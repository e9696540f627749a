import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the events of one bucket, customer and group add up to. Numbers are decimals as text. */
@Entity('usage_rollup')
export class UsageRollupRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') rollupId!: string;
  @PrimaryColumn('text') width!: 'day' | 'hour';
  @PrimaryColumn('uuid') customerId!: string;
  @PrimaryColumn('timestamptz') bucketFrom!: Date;
  @InstantColumn() bucketTo!: Date;
  /** Hash of the group: groups have any length, keys of an index have not. */
  @PrimaryColumn('uuid') grpKey!: string;
  /** Values of the metric's groupBy as a JSON list. */
  @Column('text') grp!: string;
  @BigintColumn() count!: bigint;
  @Column('numeric', { nullable: true }) sum!: string | null;
  @Column('numeric', { nullable: true }) min!: string | null;
  @Column('numeric', { nullable: true }) max!: string | null;
  @InstantColumn({ nullable: true }) firstAt!: Date | null;
  @InstantColumn({ nullable: true }) lastAt!: Date | null;
  @Column('uuid', { nullable: true }) lastId!: string | null;
  @Column('numeric', { nullable: true }) lastValue!: string | null;
  /** weighted_sum: Σ level × milliseconds from firstAt to bucketTo. */
  @Column('numeric', { nullable: true }) integral!: string | null;
  /** Numbers beside count and sum are no longer true until the bucket is repaired. */
  @Column('boolean') stale!: boolean;
}

export const usageRollups = rowTable(UsageRollupRow);
