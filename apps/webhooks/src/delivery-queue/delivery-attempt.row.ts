import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One attempt of a delivery and its outcome. */
@Entity('delivery_attempt')
export class DeliveryAttemptRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('text') deliveryId!: string;
  /** Counts per delivery. */
  @PrimaryColumn('integer') n!: number;
  @InstantColumn() at!: Date;
  @Column('integer', { nullable: true }) responseStatus!: number | null;
  @Column('integer') durationMs!: number;
  /** Null for success. */
  @Column('text', { nullable: true }) error!: string | null;
}

export const deliveryAttempts = rowTable(DeliveryAttemptRow);
