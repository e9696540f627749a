import { BigintColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The balance of an account, in stripes. */
@Entity('ledger_balance')
export class LedgerBalanceRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly accountId!: string;
  @PrimaryColumn('smallint') readonly stripe!: number;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn({ update: false }) readonly pendingDebitAmount!: bigint;
  @BigintColumn({ update: false }) readonly pendingCreditAmount!: bigint;
  @BigintColumn({ update: false }) readonly postedDebitAmount!: bigint;
  @BigintColumn({ update: false }) readonly postedCreditAmount!: bigint;
  @BigintColumn({ nullable: true, update: false }) readonly availableAmount!: bigint | null;
}
