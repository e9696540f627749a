import type { Day } from '@kontor/kernel';
import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Gap } from '../domain/periods/service-periods.js';
import type { BillableSubscription } from '../domain/charging/rating-context.js';
import type { PlanChange, SubscriptionStatus } from '../domain/subscriptions/subscription.js';

/** A customer's agreement. Its items are rows of their own under the same version. */
@Entity('subscription')
export class SubscriptionRow implements BillableSubscription {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Rises by one with every change of the subscription or its items; the sequence of its events. */
  @Column('int') version!: number;
  @Column('text') number!: string;
  @Column('text', { nullable: true }) externalId!: string | null;
  @Column('uuid') customerId!: string;
  @Column('uuid', { nullable: true }) planId!: string | null;
  /** Null: the plan's. */
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text') status!: SubscriptionStatus;
  @InstantColumn({ nullable: true }) billingStart!: Date | null;
  @Column('int') trialDays!: number;
  @InstantColumn({ nullable: true }) trialEndsOn!: Date | null;
  @InstantColumn({ nullable: true }) trialEndedAt!: Date | null;
  @Column('uuid', { nullable: true }) billingGroupId!: string | null;
  /** Null: the customer's default. */
  @Column('uuid', { nullable: true }) paymentMethodId!: string | null;
  /** Null: the customer's default. */
  @Column('uuid', { nullable: true }) invoiceAddressId!: string | null;
  @Column('text', { nullable: true }) poNumber!: string | null;
  @JsonColumn({ nullable: true }) customFields!: Record<string, string> | null;
  @InstantColumn({ nullable: true }) contractStart!: Date | null;
  @InstantColumn({ nullable: true }) contractEnd!: Date | null;
  @Column('int', { nullable: true }) contractPeriodCount!: number | null;
  @Column('text', { nullable: true }) contractPeriod!: string | null;
  @Column('text', { nullable: true }) cancellationPeriod!: string | null;
  /** Another customer that has brought or looks after it. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  /** The plan of a change that waits for its day. */
  @Column('uuid', { nullable: true }) nextPlanId!: string | null;
  @JsonColumn({ nullable: true }) planChange!: PlanChange | null;
  @Column('text', { nullable: true }) anchorOn!: Day | null;
  /** Time that is not billed; the last one is open while paused. */
  @JsonColumn() pauses!: readonly Gap[];
  @Column('text', { nullable: true }) endsOn!: Day | null;
  @InstantColumn({ nullable: true }) activatedAt!: Date | null;
  @InstantColumn({ nullable: true }) cancellationDate!: Date | null;
  @InstantColumn({ nullable: true }) cancelledAt!: Date | null;
  @JsonColumn({ nullable: true }) cancellationReason!: Record<string, unknown> | null;
  @InstantColumn({ nullable: true }) terminatedAt!: Date | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}
