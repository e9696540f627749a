import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BatchIds } from '../../domain/bank/import/statement.js';
import type { BankStatus, BankTransaction, Suggestion } from '../../domain/bank/bank-transaction.js';

/** BankTransaction, as stored. */
@Entity('bank_transaction')
export class BankTransactionRow implements BankTransaction {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly bankAccountId!: string;
  @Column({ type: 'uuid', update: false }) readonly entryId!: string;
  @Column({ type: 'uuid', update: false }) readonly importId!: string;
  @Column('text') status!: BankStatus;
  @Column({ type: 'boolean', update: false }) readonly isReturn!: boolean;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @BigintColumn() unassignedMinor!: bigint;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @InstantColumn({ update: false }) readonly bookingDate!: Date;
  @InstantColumn({ update: false }) readonly valueDate!: Date;
  @Column({ type: 'text', update: false }) readonly reference!: string;
  @Column({ type: 'text', nullable: true, update: false }) readonly endToEndId!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly mandateReference!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly counterpartyName!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly counterpartyIban!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly remittanceInformation!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly returnReason!: string | null;
  @BigintColumn({ update: false }) readonly chargesMinor!: bigint;
  @JsonColumn({ update: false }) readonly batchIds!: BatchIds;
  @JsonColumn() suggestions!: readonly Suggestion[];
  @Column('boolean') byHand!: boolean;
  @Column('int') version!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const bankTransactions = rowTable(BankTransactionRow);
