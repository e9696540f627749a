import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Recipient, RecipientRole } from '../domain/offers/accept.js';

/** What a signer gave: the name as typed, the signature, and what it was given for. */
export interface Signature {
  readonly name: string;
  readonly type: 'typed' | 'drawn';
  readonly data: string;
}

@Entity('offer_recipient')
export class RecipientRow implements Recipient {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'text', update: false }) offerId!: string;
  @Column('text') email!: string;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  @Column('text') role!: RecipientRole;
  @Column('integer') turn!: number;
  /** Wants the link by mail. */
  @Column('boolean') sendEmail!: boolean;
  @InstantColumn({ nullable: true }) mailedAt!: Date | null;
  @Column('text') tokenDigest!: string;
  @JsonColumn({ nullable: true }) signature!: Signature | null;
  @InstantColumn({ nullable: true }) signedAt!: Date | null;
  @InstantColumn() createdAt!: Date;
}

export const recipients = rowTable(RecipientRow);
