import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BankAssignment } from '../../domain/bank/bank-transaction.js';

/** BankAssignment, as stored. */
@Entity('bank_assignment')
export class BankAssignmentRow implements BankAssignment {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly bankTransactionId!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly invoiceId!: string | null;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'uuid', update: false }) readonly transactionId!: string;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @InstantColumn({ nullable: true }) revokedAt!: Date | null;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const bankAssignments = rowTable(BankAssignmentRow);
