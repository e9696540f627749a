import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Lot, Origin } from '../domain/customer-books/lots.js';

/** Lot, as stored. */
@Entity('wallet_lot')
export class LotRow implements Lot {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly walletId!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly sourceTransactionId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly sourceIntentId!: string | null;
  @JsonColumn({ update: false }) readonly origin!: Origin;
  @Column({ type: 'boolean', update: false }) readonly promotional!: boolean;
  @InstantColumn({ nullable: true, update: false }) readonly expiresAt!: Date | null;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @BigintColumn() remainingMinor!: bigint;
  @Column({ type: 'int', update: false }) readonly ordinal!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const lots = rowTable(LotRow);
