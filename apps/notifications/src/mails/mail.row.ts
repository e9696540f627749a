import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mail, MailAttachment, MailStatus } from '../domain/mails/mail.js';

/** A mail, written before it is sent. */
@Entity('mail')
export class MailRow implements Mail {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') kind!: string;
  /** What it is about; one mail per kind and reference. */
  @Column('text') reference!: string;
  @Column('text') status!: MailStatus;
  @Column('text') senderName!: string;
  @Column('text', { nullable: true }) replyTo!: string | null;
  /** Whom it is about; who gets it may be somebody else. Null: somebody who need not be a customer. */
  @Column('uuid', { nullable: true }) customerId!: string | null;
  @Column('text') recipient!: string;
  @Column('text') language!: string;
  @Column('text') subject!: string;
  @Column('text') text!: string;
  @Column('text') html!: string;
  @JsonColumn() attachments!: MailAttachment[];
  @Column('integer') attempts!: number;
  @Column('text', { nullable: true }) lastError!: string | null;
  /** The tenant's time. */
  @InstantColumn() createdAt!: Date;
  /** Real time. */
  @InstantColumn({ nullable: true }) sentAt!: Date | null;
}

export const mails = rowTable(MailRow);
