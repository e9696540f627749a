import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImportError } from './import-progress.js';

/** An import of a file of events, running or ended. */
@Entity('usage_import')
export class UsageImportRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Counts uploads under this id; an earlier one may not write any more. */
  @Column('integer') attempt!: number;
  @Column('text') format!: 'csv' | 'ndjson';
  @Column('text') status!: 'running' | 'completed' | 'interrupted' | 'failed';
  @BigintColumn() bytes!: bigint;
  @BigintColumn() lines!: bigint;
  @BigintColumn() ingested!: bigint;
  @BigintColumn() duplicates!: bigint;
  @BigintColumn() failed!: bigint;
  /** The first ones. */
  @JsonColumn() errors!: ImportError[];
  @InstantColumn() createdAt!: Date;
  /** Real time of the last report. */
  @InstantColumn() updatedAt!: Date;
  /** Of the file of a completed one; null where it was imported before digests were kept. */
  @Column('text', { nullable: true }) digest!: string | null;
  @InstantColumn({ nullable: true }) finishedAt!: Date | null;
}

export const usageImports = rowTable(UsageImportRow);
