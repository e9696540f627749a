import { rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A logout of which an app is to hear. */
@Entity('logout_delivery')
export class LogoutDeliveryRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') clientId!: string;
  @Column('text') subject!: string;
  @Column('text') sid!: string;
  @Column('integer') attempts!: number;
}

export const logoutDeliveries = rowTable(LogoutDeliveryRow);
