import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AfterCheckout, CartItem, LinkOptions, LinkPage } from '../domain/carts/cart.js';

/** An address at which anybody can buy the same things. */
@Entity('checkout_link')
export class CheckoutLinkRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('integer') version!: number;
  @Column('text') slug!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @JsonColumn() items!: readonly CartItem[];
  @JsonColumn() options!: LinkOptions;
  @JsonColumn() afterCheckout!: AfterCheckout;
  @JsonColumn() page!: LinkPage;
  @Column('integer', { nullable: true }) maxSales!: number | null;
  /** Counted by confirmations, under the row's lock. */
  @Column('integer') sold!: number;
  @InstantColumn({ nullable: true }) enabledFrom!: Date | null;
  @InstantColumn({ nullable: true }) enabledUntil!: Date | null;
  @Column('boolean') isEnabled!: boolean;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export const checkoutLinks = rowTable(CheckoutLinkRow);
