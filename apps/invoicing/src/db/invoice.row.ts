import { BigintColumn, InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DocumentType } from '../domain/document-snapshot.js';
import type { AppliedRate, BlockedReason, Invoice, InvoiceStatus, SourceType } from '../domain/invoice.js';
import type { InvoiceAddress } from '../domain/recipient.js';

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
  @Column('text') sourceType!: SourceType;
  @Column('uuid') customerId!: string;
  @Column('text') currencyCode!: string;
  @Column('text') language!: 'de' | 'en';
  @InstantColumn() createdAt!: Date;
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
  @Column('uuid', { nullable: true }) referencedInvoiceId!: string | null;
  @Column('uuid', { nullable: true }) intentId!: string | null;
  @Column('int') intentVersion!: number;
  @Column('text', { nullable: true }) intentStatus!: string | null;
  @BigintColumn({ nullable: true }) intentAmountMinor!: bigint | null;
  @BigintColumn({ nullable: true }) intentOpenMinor!: bigint | null;
  @Column('uuid', { nullable: true }) intentPaymentMethodId!: string | null;
  @Column('uuid', { nullable: true }) runId!: string | null;
  @Column('text', { nullable: true }) billingDay!: string | null;
  @Column('text', { nullable: true }) groupingKey!: string | null;
  /** True while further lines of the same customer and due day may join the draft. */
  @Column('boolean') joinable!: boolean;
  @Column('text', { nullable: true }) blockedReason!: BlockedReason | null;
  @Column('boolean') dunningDisabled!: boolean;
  /** Whether the document has a public page about its usage. */
  @Column('boolean') usageBreakdown!: boolean;
}
