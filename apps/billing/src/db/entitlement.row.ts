import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EntitlementSource, EntitlementStatus } from '../domain/entitlements/entitlement-status.js';
import type { FeatureConfig, FeatureType } from '../domain/entitlements/feature-config.js';

export type FeatureStatus = 'draft' | 'active' | 'archived';

/** Something that customers may or may not use, or so much of it. */
@Entity('feature')
export class FeatureRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** A slug that somebody chose, else a UUID. */
  @PrimaryColumn('text') id!: string;
  @Column('int') version!: number;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') status!: FeatureStatus;
  @Column('text') type!: FeatureType;
  @JsonColumn({ nullable: true }) config!: FeatureConfig | null;
  @Column('uuid', { nullable: true }) unitId!: string | null;
  /** What counts how much of the entitled quantity is used. */
  @Column('uuid', { nullable: true }) usageMetricId!: string | null;
  /** Of its first activation; null: nobody is entitled to it yet. */
  @InstantColumn({ nullable: true }) activatedAt!: Date | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

/** What everybody with a product, or with one of its prices, is entitled to. */
@Entity('feature_assignment')
export class FeatureAssignmentRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') featureId!: string;
  @Column('uuid', { nullable: true }) productId!: string | null;
  @Column('uuid', { nullable: true }) pricePlanId!: string | null;
  @Column('text') value!: string;
  @InstantColumn({ nullable: true }) validFrom!: Date | null;
  @InstantColumn({ nullable: true }) validUntil!: Date | null;
  @InstantColumn() createdAt!: Date;
}

/** What one customer is entitled to, by itself or with a subscription or one of its items. */
@Entity('entitlement')
export class EntitlementRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') featureId!: string;
  @Column('uuid') customerId!: string;
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  @Column('uuid', { nullable: true }) subscriptionItemId!: string | null;
  @Column('text') source!: EntitlementSource;
  /** Where the item's product or price gave it. */
  @Column('uuid', { nullable: true }) assignmentId!: string | null;
  @Column('text') value!: string;
  /** False: disabled by hand. */
  @Column('boolean') active!: boolean;
  @InstantColumn({ nullable: true }) validFrom!: Date | null;
  @InstantColumn({ nullable: true }) validUntil!: Date | null;
  /** When the item's product or price gave it no longer. */
  @InstantColumn({ nullable: true }) endedAt!: Date | null;
  /** As it was announced last. */
  @Column('text') status!: EntitlementStatus;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}
