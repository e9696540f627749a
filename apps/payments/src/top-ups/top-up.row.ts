import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TopUp, TopUpStatus } from '../domain/top-ups/top-up.js';

/** TopUp, as stored. */
@Entity('top_up')
export class TopUpRow implements TopUp {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly intentId!: string | null;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn({ update: false }) readonly requestedMinor!: bigint;
  @BigintColumn({ nullable: true }) creditedMinor!: bigint | null;
  @Column('text') status!: TopUpStatus;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly paymentMethodId!: string | null;
  @Column('text', { nullable: true }) failReason!: string | null;
  @Column({ type: 'text', update: false }) readonly reference!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly ruleId!: string | null;
  @InstantColumn({ nullable: true }) completedAt!: Date | null;
  @Column('int') version!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
}

export const topUps = rowTable(TopUpRow);
