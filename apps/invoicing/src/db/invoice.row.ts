import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DunningNotice, DunningStatus } from '../domain/dunning/dunning-document.js';
import type {
  AppliedRate,
  BlockedReason,
  DocumentType,
  EInvoiceType,
  Invoice,
  InvoiceStatus,
  ReferencedInvoice,
  SourceType,
} from '../domain/invoices/invoice.js';
import type { InvoiceAddress } from '../domain/invoices/recipient.js';

/** A document. Its positions are rows of their own under the same version. */
@Entity('invoice')
export class InvoiceRow implements Invoice {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Rises by one with every event of the document; the sequence of its events. */
  @Column('int') version!: number;
  @Column('text') type!: DocumentType;
  @Column('text', { nullable: true }) number!: string | null;
  @Column('text') status!: InvoiceStatus;
  @Column({ type: 'text', update: false }) sourceType!: SourceType;
  @Column('uuid') customerId!: string;
  @Column('text') currencyCode!: string;
  @Column('text') language!: 'de' | 'en';
  @InstantColumn({ update: false }) createdAt!: Date;
  @InstantColumn({ nullable: true }) finalizedAt!: Date | null;
  @InstantColumn({ nullable: true }) dueAt!: Date | null;
  @InstantColumn({ nullable: true }) payDate!: Date | null;
  @Column('text', { nullable: true }) title!: string | null;
  @Column('text', { nullable: true }) introduction!: string | null;
  @Column('text', { nullable: true }) closing!: string | null;
  @Column('text', { nullable: true }) internalNote!: string | null;
  @Column('json', { nullable: true }) customFields!: Record<string, string> | null;
  @Column('uuid', { nullable: true }) paymentMethodId!: string | null;
  @Column('uuid', { nullable: true }) invoiceAddressId!: string | null;
  @Column('json', { nullable: true }) invoiceAddress!: InvoiceAddress | null;
  @BigintColumn() netMinor!: bigint;
  @BigintColumn() discountMinor!: bigint;
  @BigintColumn() taxMinor!: bigint;
  @BigintColumn() grossMinor!: bigint;
  @BigintColumn() unpaidMinor!: bigint;
  @InstantColumn({ nullable: true }) serviceFrom!: Date | null;
  @InstantColumn({ nullable: true }) serviceLast!: Date | null;
  @Column('json') exchangeRates!: AppliedRate[];
  @Column('text', { nullable: true }) mediaId!: string | null;
  @Column('text', { nullable: true }) eInvoiceType!: EInvoiceType | null;
  @Column('text', { nullable: true }) leitwegId!: string | null;
  @Column('text', { nullable: true }) xmlMediaId!: string | null;
  @Column('uuid', { nullable: true }) referencedInvoiceId!: string | null;
  /** Of an automatic credit: all documents whose lines it credits. */
  @Column('json', { nullable: true }) referencedInvoices!: readonly ReferencedInvoice[] | null;
  @Column('uuid', { nullable: true }) intentId!: string | null;
  @Column('int') intentVersion!: number;
  @Column('text', { nullable: true }) intentStatus!: string | null;
  /** No gateway collects what is open before the payer has acted. */
  @Column('boolean') waitsForPayer!: boolean;
  @BigintColumn({ nullable: true }) intentAmountMinor!: bigint | null;
  @BigintColumn({ nullable: true }) intentOpenMinor!: bigint | null;
  @Column('uuid', { nullable: true }) intentPaymentMethodId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) runId!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) billingDay!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) groupingKey!: string | null;
  /** True while further lines of the same customer and due day may join the draft. */
  @Column('boolean') joinable!: boolean;
  @Column('text', { nullable: true }) blockedReason!: BlockedReason | null;
  @Column('boolean') dunningDisabled!: boolean;
  /** Whether the document has a public page about its usage. */
  @Column('boolean') usageBreakdown!: boolean;
  /** The document that cancels this one. */
  @Column('uuid', { nullable: true }) cancellationId!: string | null;
  /** Why it corrects another document, or why it was cancelled or closed, as a word. */
  @Column('text', { nullable: true }) reason!: string | null;
  /** Its PDF comes from the tenant's own system and is not there yet. */
  @Column('boolean') pdfAwaited!: boolean;
  /** When it was last mailed to the customer: with its file, or on demand. */
  @InstantColumn({ nullable: true }) lastSentAt!: Date | null;
  /** False: its customer gets no mail with it when it is finalized. */
  @Column({ type: 'boolean', update: false }) mailed!: boolean;
  /** Its number was given by another system and is of no series of this one. */
  @Column({ type: 'boolean', update: false }) imported!: boolean;
  /** The highest level at which it was reminded of; 0 when it was not, or was paid since. */
  @Column('int') dunningLevel!: number;
  @Column('text') dunningStatus!: DunningStatus;
  @InstantColumn({ nullable: true }) lastReminderAt!: Date | null;
  /** Of a reminder or dunning letter: what it claims. */
  @Column({ type: 'json', nullable: true, update: false }) dunning!: DunningNotice | null;
}

export const invoiceTable = rowTable(InvoiceRow);
