import { BigintColumn, InstantColumn, JsonColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SepaKind } from './sepa-order.row.js';
import type { SepaScheme } from '../domain/payment-methods/sepa-mandate.js';
import type { Day } from '@kontor/kernel';
import type { SequenceType } from '../domain/payment-methods/sepa-mandate.js';

/** Orders of a file that the bank carries out together. */
export interface SepaFileBatch {
  readonly paymentInformationId: string;
  readonly requestedOn: Day;
  readonly sequenceType: SequenceType | null;
  readonly scheme: SepaScheme | null;
  readonly count: number;
  /** Cents, as text. */
  readonly sumMinor: string;
}

/** A file that was made. Its bytes are a blob, sealed under its id. */
@Entity('sepa_file')
export class SepaFileRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'text', update: false }) readonly kind!: SepaKind;
  @Column({ type: 'text', update: false }) readonly format!: string;
  @Column({ type: 'text', update: false }) readonly messageId!: string;
  @Column({ type: 'text', update: false }) readonly fileName!: string;
  @Column({ type: 'int', update: false }) readonly orderCount!: number;
  @BigintColumn({ update: false }) readonly sumMinor!: bigint;
  @JsonColumn({ update: false }) readonly batches!: readonly SepaFileBatch[];
  @Column({ type: 'text', update: false }) readonly blobKey!: string;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export type SepaFile = NewRow<SepaFileRow>;

export const sepaFiles = rowTable(SepaFileRow);
