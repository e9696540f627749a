import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event on its way to an endpoint. Leases and queues change by set-based SQL. */
@Entity('delivery')
export class DeliveryRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** A ULID, the same for all attempts. */
  @PrimaryColumn('text') id!: string;
  @Column('uuid') endpointId!: string;
  @Column('text') eventId!: string;
  @Column('text') eventType!: string;
  @Column('text') objectId!: string;
  @BigintColumn() sequence!: bigint;
  @Column('text') status!: 'pending' | 'delivered' | 'failed';
  /** The first of its object's queue at this endpoint, the only one that may be attempted. */
  @Column('boolean') head!: boolean;
  @Column('integer') attempts!: number;
  /** Attempts since it was created or delivered again by hand. */
  @Column('integer') round!: number;
  /** Real time; null unless it is pending. */
  @InstantColumn({ nullable: true }) nextAttemptAt!: Date | null;
  @InstantColumn({ nullable: true }) leaseUntil!: Date | null;
  @Column('uuid', { nullable: true }) lease!: string | null;
  @InstantColumn() createdAt!: Date;
}

export const deliveries = rowTable(DeliveryRow);
