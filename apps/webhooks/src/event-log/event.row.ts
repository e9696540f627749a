import { BigintColumn, InstantColumn, JsonTextColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An entry of the event log. */
@Entity('webhook_event')
export class EventRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** A ULID. */
  @PrimaryColumn('text') id!: string;
  @Column('text') type!: string;
  @Column('text') objectId!: string;
  /** Counts per object. */
  @BigintColumn() sequence!: bigint;
  @Column('uuid', { nullable: true }) customerId!: string | null;
  /** JSON text: delivered byte for byte on every repeat. */
  @JsonTextColumn() data!: string;
  /** The tenant's time. */
  @InstantColumn() createdAt!: Date;
}

export const loggedEvents = rowTable(EventRow);
