import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A text that a tenant has written itself: of a document, or of a mail. */
@Entity('document_template')
export class DocumentTemplateRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** `invoice`, … or `mail.invoice`, … */
  @PrimaryColumn('text') kind!: string;
  @PrimaryColumn('text') language!: string;
  /** By name: `title`, `introduction`, `closing`, or `subject`, `body`. */
  @Column('json') texts!: Record<string, string | null>;
  @Column('int') version!: number;
  @InstantColumn() updatedAt!: Date;
}

export const documentTemplateTable = rowTable(DocumentTemplateRow);
