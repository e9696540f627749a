import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DunningDocumentStatus, DunningType } from '../domain/dunning/dunning-document.js';

/** A reminder or dunning letter; under the same id it is a document with number, snapshot and file. */
@Entity('dunning_document')
export class DunningDocumentRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** What it reminds of. */
  @Column({ type: 'uuid', update: false }) invoiceId!: string;
  @Column({ type: 'uuid', update: false }) customerId!: string;
  @Column({ type: 'int', update: false }) level!: number;
  @Column({ type: 'text', update: false }) type!: DunningType;
  @Column('text') status!: DunningDocumentStatus;
  /** In the tenant's zone. */
  @Column({ type: 'text', update: false }) documentDay!: string;
  @InstantColumn({ update: false }) createdAt!: Date;
  /** What was open of the invoice. */
  @BigintColumn({ update: false }) openMinor!: bigint;
  /** What was open of earlier documents' fees. */
  @BigintColumn({ update: false }) earlierFeesMinor!: bigint;
  @BigintColumn({ update: false }) feeMinor!: bigint;
  @BigintColumn({ update: false }) interestMinor!: bigint;
  /** The last day for which interest is claimed. */
  @Column({ type: 'text', nullable: true, update: false }) interestTo!: string | null;
  @BigintColumn({ update: false }) lumpSumMinor!: bigint;
  @BigintColumn({ update: false }) claimMinor!: bigint;
}

export const dunningDocumentTable = rowTable(DunningDocumentRow);
