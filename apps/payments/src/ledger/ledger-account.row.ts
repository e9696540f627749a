import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account. Rows of the ledger are read here and written by its functions in the database alone. */
@Entity('ledger_account')
export class LedgerAccountRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'text', update: false }) readonly code!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly customerId!: string | null;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @Column({ type: 'text', update: false }) readonly side!: string;
  @Column({ type: 'boolean', update: false }) readonly guarded!: boolean;
  @Column({ type: 'boolean', update: false }) readonly striped!: boolean;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}
