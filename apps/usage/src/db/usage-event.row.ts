import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One usage event. Of a row only `voidedAt` ever changes. */
@Entity('usage_event')
export class UsageEventRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** The 16 bytes of the ULID that clients see; its time is the real time of arrival. */
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  @InstantColumn() occurredAt!: Date;
  @InstantColumn() createdAt!: Date;
  @InstantColumn({ nullable: true }) voidedAt!: Date | null;
  @Column('text') transactionId!: string;
  @Column('text') eventName!: string;
  @JsonColumn() properties!: Record<string, unknown>;
}

export const usageEvents = rowTable(UsageEventRow);
