import { BigintColumn, InstantColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Day } from '@kontor/kernel';
import type { SequenceType } from '../domain/payment-methods/sepa-mandate.js';

/** Debits fetch money by a mandate, transfers pay out. */
export type SepaKind = 'debit' | 'transfer';

/**
 * `waiting` for a file; `exported`, the bank has it; `rejected` by our bank, which has not carried it out; `settled` by a line of the
 * bank statement; `returned` by the payer's bank; `cancelled` before it got into a file.
 */
export type SepaOrderStatus = 'waiting' | 'exported' | 'rejected' | 'settled' | 'returned' | 'cancelled';

/** Money that goes to the bank by file. Amounts are euro cents. */
@Entity('sepa_order')
export class SepaOrderRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  /** The transaction's id. */
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'text', update: false }) readonly kind!: SepaKind;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly intentId!: string | null;
  /** The mandate's method; null for transfers. */
  @Column({ type: 'uuid', nullable: true, update: false }) readonly paymentMethodId!: string | null;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  /** What comes back with the bank's line; the transaction's id without its dashes. */
  @Column({ type: 'text', update: false }) readonly endToEndId!: string;
  @Column({ type: 'text', update: false }) readonly remittance!: string;
  /** The day that the payer was notified of; the file may name a later one when it is made late. */
  @Column('text') requestedOn!: Day;
  @Column({ type: 'text', update: false }) readonly partyName!: string;
  /** For transfers: the payee's account, sealed under the order's id. */
  @Column({ type: 'text', nullable: true, update: false }) readonly ibanSecret!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly bic!: string | null;
  /** Known when the order is in a file. */
  @Column('text', { nullable: true }) sequenceType!: SequenceType | null;
  @Column('text') status!: SepaOrderStatus;
  @Column('text', { nullable: true }) statusReason!: string | null;
  @Column('uuid', { nullable: true }) fileId!: string | null;
  @Column('text', { nullable: true }) paymentInformationId!: string | null;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export type SepaOrder = NewRow<SepaOrderRow>;

export const sepaOrders = rowTable(SepaOrderRow);

/** SQL: a debit that waits and will go into a file, as something of its intent is open still. */
export const WILL_BE_DEBITED = `status = 'waiting'
  AND EXISTS (SELECT FROM payment_intent i WHERE i.tenant_id = $1 AND i.id = intent_id AND i.open_minor > 0 OFFSET 0)`;
