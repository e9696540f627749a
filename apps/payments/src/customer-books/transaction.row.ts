import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PaymentTransaction, TransactionStatus, TransactionType } from '../domain/customer-books/transaction.js';

/** PaymentTransaction, as stored. */
@Entity('payment_transaction')
export class TransactionRow implements PaymentTransaction {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly type!: TransactionType;
  @Column('text') status!: TransactionStatus;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @BigintColumn({ nullable: true }) feeMinor!: bigint | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly paymentMethodId!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly gatewayName!: string | null;
  @InstantColumn() paymentDate!: Date;
  @Column('text', { nullable: true }) reference!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly description!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly operationId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly collectionId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly intentId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly returnedTransactionId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly refundedTransactionId?: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly bankTransactionId?: string | null;
  @Column('text', { nullable: true }) failReason!: string | null;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const transactions = rowTable(TransactionRow);
