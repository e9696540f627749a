import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The next running number of a tenant's customers or subscriptions. */
@Entity('number_series')
export class NumberSeriesRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('text') series!: string;
  @Column('int') next!: number;
}
