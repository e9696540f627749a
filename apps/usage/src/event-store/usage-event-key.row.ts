import { Entity, PrimaryColumn, Column } from 'typeorm';

/** Makes a transactionId count once per tenant. Only written, by set-based SQL. */
@Entity('usage_event_key')
export class UsageEventKeyRow {
  /** First 16 bytes of SHA-256 over tenant and transactionId. */
  @PrimaryColumn('uuid') digest!: string;
  @Column('uuid') tenantId!: string;
}
