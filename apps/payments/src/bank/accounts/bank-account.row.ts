import { InstantColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('bank_account')
export class BankAccountRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'text', nullable: true, update: false }) readonly name!: string | null;
  @Column({ type: 'text', update: false }) readonly iban!: string;
  @Column({ type: 'text', nullable: true, update: false }) readonly bic!: string | null;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  /** Other names under which files know the account. */
  @Column({ type: 'json', update: false }) readonly accountIdentifications!: readonly string[];
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export type BankAccount = NewRow<BankAccountRow>;

export const bankAccounts = rowTable(BankAccountRow);
