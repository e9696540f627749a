import { BigintColumn, InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DunningType } from '../domain/dunning/dunning-document.js';
import type { DunningRule } from '../domain/dunning/dunning-rule.js';

/** A level of dunning, as stored. */
@Entity('dunning_rule')
export class DunningRuleRow implements DunningRule {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') level!: number;
  @Column('text') type!: DunningType;
  @Column('int') daysOverdue!: number;
  @Column('int') dueInDays!: number;
  @BigintColumn() feeMinor!: bigint;
  @Column('text') feeCurrencyCode!: string;
  @Column('boolean') attachOriginalInvoice!: boolean;
  @Column('boolean') isEnabled!: boolean;
  @InstantColumn({ update: false }) createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export const dunningRuleTable = rowTable(DunningRuleRow);
