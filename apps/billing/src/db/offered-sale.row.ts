import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An offer that is published and not accepted yet. */
@Entity('offered_sale')
export class OfferedSaleRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** Of the offer, in its UUID form. */
  @PrimaryColumn('uuid') id!: string;
  /** The subscription that waits for acceptance. */
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** Made for the offer, and gone with it. */
  @Column('boolean') isOwn!: boolean;
  @InstantColumn() updatedAt!: Date;
}

/** A price that an offer promises. */
@Entity('offered_price')
export class OfferedPriceRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') offerId!: string;
  @PrimaryColumn('uuid') pricePlanId!: string;
}
