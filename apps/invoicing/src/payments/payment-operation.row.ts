import type { RecordPaymentRequest } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InstantColumn, JsonColumn, rowTable, type TenantTx } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `pending`: sent or about to be; `unknown`: sent without an answer; both keep further payments out until resolved. */
export type PaymentOperationStatus = 'pending' | 'unknown' | 'succeeded' | 'refused' | 'cancelled';

/** One payment that a client reported, recorded before payments is asked, whose id makes the call repeatable. */
@Entity('payment_operation')
export class PaymentOperationRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') invoiceId!: string;
  @Column('text') status!: PaymentOperationStatus;
  @JsonColumn() request!: RecordPaymentRequest;
  /**
   * The Idempotency-Key that the client used: its repeat gets the outcome that the sweeper finds out, and pays nothing
   * again.
   */
  @JsonColumn({ nullable: true }) idempotency!: {
    operation: string;
    key: string;
    bodyHash: string;
    principal: string;
  } | null;
  @Column('text', { nullable: true }) refusal!: string | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn({ nullable: true }) resolvedAt!: Date | null;
}

export const paymentOperationTable = rowTable(PaymentOperationRow);

/**
 * Keeps out what counts on the open amount while a payment may change it; the document is locked.
 * @throws DomainError 409 `payment_in_progress`
 */
export async function refuseWhilePaid(tx: TenantTx, invoiceId: string): Promise<void> {
  if (await paymentOperationTable.exists(tx, { invoiceId, status: ['pending', 'unknown'] }))
    throw new DomainError('payment_in_progress', {
      kind: 'conflict',
      detail: 'The outcome of an earlier payment on this document is not known yet.',
      retryAfterSeconds: 5,
    });
}
