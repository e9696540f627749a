import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BreakdownDocument } from '../domain/breakdowns/breakdown-document.js';

/** The page about the usage on one document. */
@Entity('usage_breakdown')
export class UsageBreakdownRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** The document's id. */
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  /** SHA-256 of the token in the address. */
  @Column('text') tokenHash!: string;
  @Column('text') status!: 'valid' | 'cancelled';
  @JsonColumn() document!: BreakdownDocument;
  @InstantColumn() createdAt!: Date;
}

export const usageBreakdowns = rowTable(UsageBreakdownRow);
