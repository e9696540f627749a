import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One reading of what a subscription item is measured by. */
@Entity('subscription_measurement')
export class SubscriptionMeasurementRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') itemId!: string;
  @Column('uuid') measurementId!: string;
  @Column('text') transactionId!: string;
  /** Decimal. */
  @Column('text') quantity!: string;
  @InstantColumn() measuredAt!: Date;
  @InstantColumn() createdAt!: Date;
}
