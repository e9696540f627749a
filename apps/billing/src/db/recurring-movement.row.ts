import type { Day } from '@kontor/kernel';
import { BigintColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Movement, MovementKind } from '../domain/analytics/movements.js';

/** A change of what a subscription brings in a year, in one currency. */
@Entity('recurring_movement')
export class RecurringMovementRow implements Movement {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') subscriptionId!: string;
  /** The customer's; later than today where it is agreed and has not come yet. */
  @PrimaryColumn('text') day!: Day;
  @PrimaryColumn('text') currencyCode!: string;
  @PrimaryColumn('text') kind!: MovementKind;
  @Column('uuid', { nullable: true }) planId!: string | null;
  @BigintColumn() annualMinor!: bigint;
  @Column('int') subscriptions!: number;
}
