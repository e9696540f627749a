import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';
import type { DocumentTax } from '../domain/datev/tax-accounts.js';

/** What a document charges under each VAT category and rate. */
@Entity('document_tax')
export class DocumentTaxRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly invoiceId!: string;
  @JsonColumn({ update: false }) readonly taxes!: readonly DocumentTax[];
  @InstantColumn({ update: false }) readonly bookedAt!: Date;
  /** What of it was given up, likewise. */
  @JsonColumn({ nullable: true }) writtenOff?: readonly DocumentTax[] | null;
  @InstantColumn({ nullable: true }) writtenOffAt?: Date | null;
}

export const documentTaxes = rowTable(DocumentTaxRow);
