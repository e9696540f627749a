import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LotUse, Origin } from '../domain/customer-books/lots.js';
import type { WalletTransaction, WalletTransactionType } from '../domain/customer-books/wallet.js';

/** WalletTransaction, as stored. */
@Entity('wallet_transaction')
export class WalletTransactionRow implements WalletTransaction {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly walletId!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @Column({ type: 'text', update: false }) readonly type!: WalletTransactionType;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @BigintColumn({ update: false }) readonly balanceAfterMinor!: bigint;
  @Column({ type: 'int', update: false }) readonly sequence!: number;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly intentId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly invoiceId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly transactionId!: string | null;
  @JsonColumn({ update: false }) readonly origin!: Origin;
  @Column({ type: 'text', nullable: true, update: false }) readonly description!: string | null;
  @JsonColumn({ update: false }) readonly uses!: readonly LotUse[];
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const walletTransactions = rowTable(WalletTransactionRow);
