import type { ChargesDue } from '@kontor/contracts';
import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Lines of a large invoice that waits for its other parts. */
@Entity('charge_part')
export class ChargePartRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') batchId!: string;
  /** Of all parts of an invoice the same. */
  @Column('uuid') firstBatchId!: string;
  @Column('int') number!: number;
  @Column('int') count!: number;
  @Column('uuid') customerId!: string;
  @Column('json') payload!: ChargesDue;
  @InstantColumn() createdAt!: Date;
}

export const chargePartTable = rowTable(ChargePartRow);
