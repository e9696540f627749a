import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was sold by an offer or a cart: the row is the proof that it has had its effect. */
@Entity('sale')
export class SaleRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** Of the cart, or of the offer in its UUID form. */
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) customerId!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) subscriptionId!: string | null;
  @InstantColumn({ update: false }) createdAt!: Date;
}
