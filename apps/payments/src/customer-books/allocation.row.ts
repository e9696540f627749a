import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Allocation, AllocationKind } from '../domain/customer-books/transaction.js';

/** Allocation, as stored. */
@Entity('payment_allocation')
export class AllocationRow implements Allocation {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly intentId!: string;
  @Column({ type: 'text', update: false }) readonly kind!: AllocationKind;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly transactionId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly walletTransactionId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly counterIntentId!: string | null;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const allocations = rowTable(AllocationRow);
