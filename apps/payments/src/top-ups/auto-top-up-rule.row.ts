import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AutoTopUpRule } from '../domain/top-ups/top-up.js';

/** AutoTopUpRule, as stored. */
@Entity('auto_top_up_rule')
export class AutoTopUpRuleRow implements AutoTopUpRule {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly customerId!: string;
  @Column({ type: 'text', update: false }) readonly currencyCode!: string;
  @BigintColumn() thresholdMinor!: bigint;
  @BigintColumn() topUpMinor!: bigint;
  @Column('uuid', { nullable: true }) paymentMethodId!: string | null;
  @Column('boolean') enabled!: boolean;
  @Column('int') consecutiveFailures!: number;
  @Column('int') version!: number;
  @InstantColumn({ update: false }) readonly createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export const autoTopUpRules = rowTable(AutoTopUpRuleRow);
