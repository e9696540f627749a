import { InstantColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was sold by an offer or a cart: the row is the proof that it has had its effect. */
@Entity('sale')
export class SaleRow {
  @PrimaryColumn('uuid') tenantId!: string;
  /** Of the cart, or of the offer in its UUID form. */
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') customerId!: string;
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** The first invoice; null: nothing was due. */
  @Column('uuid', { nullable: true }) invoiceId!: string | null;
  /** Who buys, as the cart said when the customer was made of it; null: an offer's. */
  @Column('text', { nullable: true }) buyerHash!: string | null;
  @InstantColumn({ update: false }) createdAt!: Date;
}
