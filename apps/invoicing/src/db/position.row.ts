import type { UsageSource } from '@kontor/contracts';
import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import type { LegalNoteKey, TaxCategory } from '@kontor/tax';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AppliedTax, PositionType, PricedPosition, SubscriptionReference } from '../domain/invoices/position.js';

/** A line of a document. */
@Entity('invoice_position')
export class PositionRow implements PricedPosition {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) invoiceId!: string;
  @Column('int') ordinal!: number;
  @Column('uuid', { nullable: true }) parentId!: string | null;
  @Column('text', { nullable: true }) groupId!: string | null;
  @Column('text', { nullable: true }) groupName!: string | null;
  @Column('int', { nullable: true }) groupRanking!: number | null;
  @Column('text') type!: PositionType;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') quantity!: string;
  @Column('text', { nullable: true }) unitId!: string | null;
  @Column('text', { nullable: true }) unitName!: string | null;
  @BigintColumn() priceAmount!: bigint;
  @Column('int') pricePrecision!: number;
  @Column('text') priceCurrencyCode!: string;
  @BigintColumn({ nullable: true }) ratedNetMinor!: bigint | null;
  @BigintColumn({ nullable: true }) ratedDiscountMinor!: bigint | null;
  @Column('text', { nullable: true }) discountPercentage!: string | null;
  @BigintColumn({ nullable: true }) discountFixedMinor!: bigint | null;
  @Column('text') taxGroupId!: string;
  @Column('boolean') isGood!: boolean;
  @Column('json', { nullable: true }) product!: Record<string, unknown> | null;
  @Column('json', { nullable: true }) subscriptionItem!: Record<string, unknown> | null;
  @Column('json', { nullable: true }) subscription!: SubscriptionReference | null;
  @Column('uuid', { nullable: true }) chargeId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) originalChargeId?: string | null;
  @Column('json', { nullable: true }) usage?: UsageSource | null;
  @InstantColumn({ nullable: true }) serviceFrom!: Date | null;
  @InstantColumn({ nullable: true }) serviceLast!: Date | null;
  @InstantColumn({ update: false }) createdAt!: Date;
  @BigintColumn() netMinor!: bigint;
  @BigintColumn() discountMinor!: bigint;
  @BigintColumn() taxMinor!: bigint;
  @BigintColumn() grossMinor!: bigint;
  @Column('text', { nullable: true }) taxCategory!: TaxCategory | null;
  @Column('text') taxRate!: string;
  @Column('text', { nullable: true }) taxNoteKey!: LegalNoteKey | null;
  @Column('json', { nullable: true }) tax!: AppliedTax | null;
  /** For a line of a cancellation or credit note: the invoice's position, and what was taken of its quantity. */
  @Column({ type: 'uuid', nullable: true, update: false }) correctedPositionId?: string | null;
  @Column({ type: 'text', nullable: true, update: false }) correctedQuantity?: string | null;
}

export const positionTable = rowTable(PositionRow);
