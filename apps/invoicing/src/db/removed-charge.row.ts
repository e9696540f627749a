import { InstantColumn, rowTable } from '@kontor/persistence';
import { Entity, PrimaryColumn } from 'typeorm';

/** A charge whose line somebody took off a draft: it was never billed, so that nothing of it can go back. */
@Entity('removed_charge')
export class RemovedChargeRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') chargeId!: string;
  @InstantColumn() removedAt!: Date;
}

export const removedChargeTable = rowTable(RemovedChargeRow);
