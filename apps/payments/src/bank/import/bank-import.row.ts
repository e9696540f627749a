import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StatementFormat } from '../../domain/bank/import/statement.js';

/** An import of lines, and what became of it. */
@Entity('bank_import')
export class BankImportRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly bankAccountId!: string;
  @Column({ type: 'text', update: false }) readonly format!: StatementFormat;
  @Column({ type: 'int', update: false }) readonly imported!: number;
  @Column({ type: 'int', update: false }) readonly duplicates!: number;
  @Column({ type: 'int', update: false }) readonly failed!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const bankImports = rowTable(BankImportRow);
