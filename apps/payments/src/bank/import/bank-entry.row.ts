import { BigintColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A booking as the bank made it, and what makes it the same in another file. */
@Entity('bank_entry')
export class BankEntryRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly bankAccountId!: string;
  @Column({ type: 'text', update: false }) readonly bookingDay!: string;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @Column({ type: 'text', update: false }) readonly fingerprint!: string;
  @Column({ type: 'int', update: false }) readonly occurrence!: number;
  @Column({ type: 'text', update: false }) readonly format!: 'camt053' | 'mt940' | 'json';
  @Column({ type: 'text', nullable: true, update: false }) readonly bankReference!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly endToEndId!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly counterpartyIban!: string | null;
  @Column({ type: 'text', update: false }) readonly textKey!: string;
  @Column({ type: 'uuid', update: false }) readonly importId!: string;
}

export const bankEntries = rowTable(BankEntryRow);
