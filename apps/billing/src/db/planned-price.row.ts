import { Entity, PrimaryColumn } from 'typeorm';

/** A price that an item is to have one day. */
@Entity('planned_price')
export class PlannedPriceRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') itemId!: string;
  @PrimaryColumn('uuid') pricePlanId!: string;
}
