import type { Day } from '@kontor/kernel';
import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { QuantityStep } from '../domain/subscriptions/item-billing.js';
import type { BillableItem } from '../domain/charging/rating-context.js';
import type { AppliedDiscount, DiscountUse } from '../domain/discounts/applied-discount.js';
import type { ChangeCredit, PlannedChanges } from '../domain/subscriptions/planned-change.js';
import type { ItemStatus, ItemType, Phase } from '../domain/subscriptions/subscription.js';

/** One priced part of a subscription and where its billing stands. Days are the customer's. */
@Entity('subscription_item')
export class SubscriptionItemRow implements BillableItem {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') subscriptionId!: string;
  /** The subscription's customer: whose account bills it. */
  @Column('uuid') customerId!: string;
  /** Order inside the subscription, from 0. */
  @Column('int') ranking!: number;
  @Column('text') type!: ItemType;
  @Column('text') status!: ItemStatus;
  @Column('uuid') pricePlanId!: string;
  @Column('text') quantity!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @InstantColumn({ nullable: true }) startDate!: Date | null;
  @Column('text', { nullable: true }) startOn!: Day | null;
  @Column('text', { nullable: true }) anchorOn!: Day | null;
  @Column('text', { nullable: true }) endsOn!: Day | null;
  /** Start of the last charged period. */
  @Column('text', { nullable: true }) billedFrom!: Day | null;
  @Column('text', { nullable: true }) billedTo!: Day | null;
  @Column('text', { nullable: true }) creditFrom!: Day | null;
  @Column('text', { nullable: true }) creditDueOn!: Day | null;
  @JsonColumn({ nullable: true }) plannedChanges!: PlannedChanges;
  @JsonColumn({ nullable: true }) phases!: readonly Phase[] | null;
  @Column('text', { nullable: true }) endCredit!: ChangeCredit | null;
  /** The item that it belongs to and ends with. */
  @Column('uuid', { nullable: true }) parentId!: string | null;
  @JsonColumn({ nullable: true }) quantitySteps!: readonly QuantityStep[] | null;
  /** In the order in which they were applied, removed and used up ones too. */
  @Column({ type: 'json', nullable: true }) discounts!: readonly AppliedDiscount[] | null;
  /** How far each of them is used, in the same order; what is missing is not used yet. */
  @Column({ type: 'json', nullable: true }) discountUses!: readonly DiscountUse[] | null;
  @Column('text', { nullable: true }) nextDueOn!: Day | null;
  /** Whether usage is billed on that day. */
  @Column('boolean') nextDueMetered!: boolean;
  @InstantColumn({ nullable: true }) lastBilledAt!: Date | null;
  /** Counts how often charged time was credited, so that it can be charged anew. */
  @Column('int') revision!: number;
  @InstantColumn({ nullable: true }) activatedAt!: Date | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}
