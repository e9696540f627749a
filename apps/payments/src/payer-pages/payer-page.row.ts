import { InstantColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The page of an intent whose payer has, or had, something to do. */
@Entity('payer_page')
export class PayerPageRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  /** The intent's id. */
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'text', update: false }) readonly tokenDigest!: string;
  /** Where the payer goes on afterwards. */
  @Column('text', { nullable: true }) redirectUrl!: string | null;
  @Column('uuid', { nullable: true }) announcedTransactionId!: string | null;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export type PayerPage = NewRow<PayerPageRow>;

export const payerPages = rowTable(PayerPageRow);
