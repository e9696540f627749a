import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Intent, IntentStatus } from '../domain/customer-books/intent.js';

/** Intent, as stored. */
@Entity('payment_intent')
export class IntentRow implements Intent {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly invoiceId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly topUpId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly referencedInvoiceId?: string | null;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly documentNumber!: string;
  @Column({ type: 'text', update: false }) readonly documentType!: string;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn({ update: false }) readonly amountMinor!: bigint;
  @BigintColumn() openMinor!: bigint;
  @BigintColumn() pendingMinor!: bigint;
  @BigintColumn() payerMinor!: bigint;
  @BigintColumn() creditAppliedMinor!: bigint;
  @Column('text') status!: IntentStatus;
  @Column('uuid', { nullable: true }) paymentMethodId!: string | null;
  @Column('boolean', { nullable: true }) methodIsNamed?: boolean | null;
  @InstantColumn({ update: false }) readonly dueAt!: Date;
  @InstantColumn({ nullable: true }) paidAt!: Date | null;
  @Column('text', { nullable: true }) failReason!: string | null;
  @Column('int') attempts!: number;
  @InstantColumn({ nullable: true }) firstFailedAt!: Date | null;
  @InstantColumn({ nullable: true }) nextRetryAt!: Date | null;
  @Column('int') version!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const intents = rowTable(IntentRow);
