import type { Day } from '@kontor/kernel';
import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A billed period whose usage has changed, until its correction is billed. */
@Entity('usage_correction')
export class UsageCorrectionRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') closingId!: string;
  @Column('uuid') customerId!: string;
  @Column('uuid') itemId!: string;
  /** Day in the customer's zone on which it is billed by itself when nothing else falls due any more. */
  @Column('text') markedOn!: Day;
  @InstantColumn() createdAt!: Date;
}
