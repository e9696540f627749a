import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Wallet } from '../domain/customer-books/wallet.js';

/** Wallet, as stored. */
@Entity('wallet')
export class WalletRow implements Wallet {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn() balanceMinor!: bigint;
  @Column('int') version!: number;
  @Column('int') sequence!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const wallets = rowTable(WalletRow);
