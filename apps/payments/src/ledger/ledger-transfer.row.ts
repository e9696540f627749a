import { BigintColumn, InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One transfer between two accounts. */
@Entity('ledger_transfer')
export class LedgerTransferRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('text') readonly operationKey!: string;
  @PrimaryColumn('smallint') readonly leg!: number;
  @Column({ type: 'text', update: false }) readonly kind!: string;
  @Column({ type: 'text', nullable: true, update: false }) readonly resolvesKey!: string | null;
  @Column({ type: 'uuid', update: false }) readonly debitAccountId!: string;
  @Column({ type: 'uuid', update: false }) readonly creditAccountId!: string;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn({ update: false }) readonly amount!: bigint;
  @InstantColumn({ update: false }) readonly bookedAt!: Date;
  @BigintColumn({ update: false }) readonly seq!: bigint;
}
