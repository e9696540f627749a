import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const IMPORT_KINDS = ['customers', 'products', 'price-plans', 'subscriptions'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];
export const LINE_STATUSES = ['waiting', 'valid', 'imported', 'failed'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

/** A file, and how far its import is. */
@Entity('import')
export class ImportRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') kind!: ImportKind;
  /** True: every line is checked, and nothing stays. */
  @Column('boolean') dryRun!: boolean;
  @Column('text', { nullable: true }) fileName!: string | null;
  @Column('text') status!: 'running' | 'completed';
  @Column('int') lines!: number;
  /** The last line that was processed: those after it wait. An index of what waits would fill with lines that do not any more. */
  @Column('int') takenTo!: number;
  /** In a dry run: those that would be. */
  @Column('int') imported!: number;
  /** Of the failed ones those whose number or external id is there already. */
  @Column('int') duplicates!: number;
  @Column('int') failed!: number;
  @InstantColumn() createdAt!: Date;
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
}

/** A line of a file, its cells by their column, and what became of it. */
@Entity('import_line')
export class ImportLineRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') importId!: string;
  /** As an editor counts them: the header is the first. */
  @PrimaryColumn('int') line!: number;
  @JsonColumn() cells!: Record<string, string>;
  @Column('text') status!: LineStatus;
  /** What was made of it. */
  @Column('uuid', { nullable: true }) objectId!: string | null;
  @Column('text', { nullable: true }) code!: string | null;
  @Column('text', { nullable: true }) message!: string | null;
  @Column('text', { nullable: true }) propertyPath!: string | null;
}
