import { JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DatevChart } from '../domain/datev/accounts.js';

/** How the ledger reads in the bookkeeper's chart of accounts. */
@Entity('datev_settings')
export class DatevSettingsRow {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @Column('int') consultantNumber!: number;
  @Column('int') clientNumber!: number;
  @Column('text') chart!: DatevChart;
  @Column('int') accountLength!: number;
  @Column('text') fiscalYearStart!: string;
  @Column('boolean') locked!: boolean;
  @JsonColumn() accounts!: Readonly<Record<string, string>>;
}

export const datevSettings = rowTable(DatevSettingsRow);
