import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Usage of a watched metric that changed and was not checked yet. */
@Entity('usage_touched')
export class UsageTouchedRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** Given by the database. */
  @PrimaryColumn('bigint') id!: bigint;
  @Column('uuid') metricId!: string;
  @Column('uuid') customerId!: string;
  /** Some instant of the changed bucket. */
  @InstantColumn() at!: Date;
}
