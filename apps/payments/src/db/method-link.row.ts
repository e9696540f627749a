import { InstantColumn, JsonColumn, type NewRow, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GatewayName } from '../domain/payment-methods/payment-method.js';

/** A page on which one customer may add one way to pay. */
@Entity('method_link')
export class MethodLinkRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly tokenDigest!: string;
  /** What may be chosen there, as far as the tenant can do it when the page is opened. */
  @JsonColumn({ update: false }) readonly allowedGateways!: readonly GatewayName[];
  @Column({ type: 'text', nullable: true, update: false }) readonly redirectUrl!: string | null;
  /** Real time. */
  @InstantColumn({ update: false }) readonly expiresAt!: Date;
  /** What was added; the link is used up then. */
  @Column('uuid', { nullable: true }) methodId!: string | null;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export type MethodLink = NewRow<MethodLinkRow>;

export const methodLinks = rowTable(MethodLinkRow);
