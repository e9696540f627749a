import type { InvoiceState } from '@kontor/contracts';
import { BigintColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailAttachment } from '../domain/mails/mail.js';

/**
 * What is known of a finalized invoice until its mail is written: the document and its file come by different events,
 * in any order.
 */
@Entity('invoice_to_send')
export class InvoiceToSendRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') invoiceId!: string;
  @BigintColumn() version!: bigint;
  @JsonColumn({ nullable: true }) state!: InvoiceState | null;
  @JsonColumn({ nullable: true }) media!: MailAttachment | null;
  @Column('uuid', { nullable: true }) mailId!: string | null;
}
