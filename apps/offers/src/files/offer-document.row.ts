import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type DocumentKind = 'offer' | 'signed' | 'audit_log' | 'purchase_order';

/** A file of an offer; the database refuses to change it, and its bytes are found by their digest. */
@Entity('offer_document')
export class OfferDocumentRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** ULID. */
  @PrimaryColumn('text') id!: string;
  @Column({ type: 'text', update: false }) offerId!: string;
  @Column({ type: 'text', update: false }) kind!: DocumentKind;
  /** What it shows; empty: a file that somebody brought. */
  @Column({ type: 'text', update: false }) versionHash!: string;
  @Column({ type: 'text', update: false }) fileName!: string;
  @Column({ type: 'text', update: false }) sha256!: string;
  @Column({ type: 'integer', update: false }) sizeBytes!: number;
  @InstantColumn({ update: false }) createdAt!: Date;
}

export const documents = rowTable(OfferDocumentRow);
