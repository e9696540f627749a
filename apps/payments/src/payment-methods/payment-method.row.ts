import { InstantColumn, JsonColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MethodSource, PaymentMethodStatus, PaymentMethodType } from '../domain/payment-methods/payment-method.js';
import type { SequenceType } from '../domain/payment-methods/sepa-mandate.js';
import type { OnlineWalletDetails } from '../domain/payment-methods/payment-method.js';
import type { CardDetails } from '../domain/payment-methods/payment-method.js';
import type { Mandate } from '../domain/payment-methods/sepa-mandate.js';
import type { AccountDetails } from '../domain/payment-methods/payment-method.js';

/** What may be shown of the card, account or online wallet behind a method. */
export interface MethodDetails {
  readonly card?: CardDetails | null;
  readonly account?: AccountDetails | null;
  readonly onlineWallet?: OnlineWalletDetails | null;
  readonly mandate?: Mandate | null;
}

/** A customer's way to pay, as stored. */
@Entity('payment_method')
export class PaymentMethodRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly gatewayName!: string;
  @Column({ type: 'text', nullable: true, update: false }) readonly type!: PaymentMethodType | null;
  /** Its id at the gateway. */
  @Column('text', { nullable: true }) referenceId!: string | null;
  @Column('boolean') isDefault!: boolean;
  @Column('text') status!: PaymentMethodStatus;
  @Column({ type: 'text', update: false }) readonly source!: MethodSource;
  @Column('boolean') enabled!: boolean;
  /** False: for one payment only, never charged again by itself. */
  @Column({ type: 'boolean', update: false }) readonly futureUsageAllowed!: boolean;
  @Column('text', { nullable: true }) name!: string | null;
  @InstantColumn({ update: false }) readonly creationDate!: Date;
  @InstantColumn({ nullable: true }) expirationDate!: Date | null;
  /** Removed methods stay for the transactions that name them. */
  @InstantColumn({ nullable: true }) deletedAt!: Date | null;
  @Column('int') version!: number;
  @JsonColumn() details!: MethodDetails;
  /** The account's number, sealed under the method's id. */
  @Column({ type: 'text', nullable: true, update: false }) readonly secret!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) readonly mandateReference!: string | null;
  /** Kind of the mandate's next debit; null without a mandate, or when it is used up. */
  @Column('text', { nullable: true }) nextSequence!: SequenceType | null;
  /** When a debit of the mandate last went to the bank. */
  @InstantColumn({ nullable: true }) mandateUsedAt!: Date | null;
  /** Why it is not active, as a word of the gateway or of ours. */
  @Column('text', { nullable: true }) statusReason!: string | null;
}

export type PaymentMethod = NewRow<PaymentMethodRow>;

export const methods = rowTable(PaymentMethodRow);
