import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One usage event. Rows are only ever added. */
@Entity('usage_event')
export class UsageEventRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** The 16 bytes of the ULID that clients see. */
  @PrimaryColumn('uuid') id!: string;
  /** First 16 bytes of SHA-256 over tenant and transactionId, in UUID form: unique. */
  @Column('uuid') digest!: string;
  @Column('text') transactionId!: string;
  @Column('text') eventName!: string;
  @Column('uuid') customerId!: string;
  @InstantColumn() occurredAt!: Date;
  @JsonColumn() properties!: Record<string, unknown>;
  @InstantColumn() createdAt!: Date;
}
