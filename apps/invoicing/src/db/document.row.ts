import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';

/** The frozen content of a finalized document: what its file is rendered from, whenever that happens. */
@Entity('document_snapshot')
export class DocumentSnapshotRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') invoiceId!: string;
  @Column({ type: 'json', update: false }) snapshot!: DocumentSnapshot;
  /** Number and recipient, for the search. */
  @Column('text') searched!: string;
  /** Of the snapshot's text; the database writes it. */
  @Column({ type: 'text', update: false }) sha256?: string;
}

export const documentSnapshotTable = rowTable(DocumentSnapshotRow);

/** A file of a document. The row is there from finalization on, the bytes when they were rendered. */
@Entity('media')
export class MediaRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** ULID. */
  @PrimaryColumn('text') id!: string;
  @Column('uuid') invoiceId!: string;
  @Column('text') kind!: 'pdf' | 'xml' | 'preview';
  @Column('text') fileName!: string;
  @Column('text') mimeType!: string;
  /** Where the blob store keeps the bytes; null until they were rendered. */
  @Column('text', { nullable: true }) blobKey!: string | null;
  @Column('int', { nullable: true }) sizeBytes!: number | null;
  @InstantColumn() createdAt!: Date;
}

export const mediaTable = rowTable(MediaRow);

/** What happened to a document, for its timeline. */
@Entity('invoice_history')
export class InvoiceHistoryRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') invoiceId!: string;
  /** The document's version at that time. */
  @PrimaryColumn('int') version!: number;
  @PrimaryColumn('text') type!: string;
  @InstantColumn() at!: Date;
  @Column('json', { nullable: true }) metadata!: Record<string, unknown> | null;
}

export const invoiceHistoryTable = rowTable(InvoiceHistoryRow);

/** Which document a batch of charges became; none when nothing was to be documented. */
@Entity('charge_batch')
export class ChargeBatchRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') batchId!: string;
  @Column('uuid', { nullable: true }) invoiceId!: string | null;
  /** The second document, where lines of it are outside the scope of VAT and others are not. */
  @Column('uuid', { nullable: true }) apartInvoiceId!: string | null;
  @Column('uuid', { nullable: true }) runId!: string | null;
  @Column('uuid') customerId!: string;
  @Column('json') subscriptionIds!: string[];
  @InstantColumn() createdAt!: Date;
}

export const chargeBatchTable = rowTable(ChargeBatchRow);

/** Which subscriptions a document bills; for the filter `subscription`. */
@Entity('invoice_subscription')
export class InvoiceSubscriptionRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') subscriptionId!: string;
  @PrimaryColumn('uuid') invoiceId!: string;
}

export const invoiceSubscriptionTable = rowTable(InvoiceSubscriptionRow);

/** The next number of a series. */
@Entity('number_series')
export class NumberSeriesRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('text') series!: string;
  @PrimaryColumn('int') year!: number;
  @BigintColumn() next!: bigint;
}
