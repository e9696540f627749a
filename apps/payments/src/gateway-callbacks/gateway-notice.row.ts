import { InstantColumn, JsonColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GatewayNotice } from '../gateways/port/payment-gateway.js';

/** An event that a provider reported, as stored. */
@Entity('gateway_notice')
export class GatewayNoticeRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'text', update: false }) readonly gatewayName!: string;
  /** The provider's id: the same event is stored once. */
  @Column({ type: 'text', update: false }) readonly eventId!: string;
  @JsonColumn({ update: false }) readonly notice!: GatewayNotice;
  /** What it led to; null until it was acted on. */
  @Column('text', { nullable: true }) result!: string | null;
  @InstantColumn({ update: false }) readonly receivedAt!: Date;
  @InstantColumn({ nullable: true }) processedAt!: Date | null;
}

export type StoredNotice = NewRow<GatewayNoticeRow>;

export const notices = rowTable(GatewayNoticeRow);
