import type { SaleQuote } from '@kontor/contracts';
import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AfterCheckout, Buyer, CartItem, CartStatus, LinkOptions, LinkPage } from '../domain/carts/cart.js';

/** What was wanted when the cart was confirmed; kept, so that the confirmation can be finished by anybody. */
export interface Confirmation {
  readonly email: string | null;
  readonly phone: string | null;
  readonly language: string | null;
  readonly invoiceAddressId: string | null;
  readonly paymentMethodId: string | null;
  readonly newPaymentMethod: Readonly<Record<string, unknown>> | null;
  /** Where the buyer goes on from a provider's page; null: to the cart's own. */
  readonly redirectUrl: string | null;
  readonly expectedTotal: { readonly amount: number; readonly currencyCode: string } | null;
}

/** What a confirmation answers, the first time and every time after. */
export interface ConfirmationResult {
  readonly action: 'redirect' | 'none' | 'confirmation_message';
  readonly redirectUrl: string | null;
  readonly confirmationMessage: string | null;
}

@Entity('cart')
export class CartRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('integer') version!: number;
  /** Of the token: who has that may fill and confirm the cart. */
  @Column('text') tokenDigest!: string;
  @Column('text') status!: CartStatus;
  @Column('uuid', { nullable: true }) linkId!: string | null;
  @Column('uuid', { nullable: true }) customerId!: string | null;
  @Column('text', { nullable: true }) customerEmail!: string | null;
  @JsonColumn({ nullable: true }) buyer!: Buyer | null;
  @JsonColumn() items!: readonly CartItem[];
  @JsonColumn() options!: LinkOptions;
  @JsonColumn() afterCheckout!: AfterCheckout;
  @JsonColumn() page!: LinkPage;
  /** What was asked for, as it was answered. */
  @JsonColumn({ nullable: true }) customFields!: Record<string, string> | null;
  /** In which the buyer is written to. */
  @Column('text', { nullable: true }) language!: string | null;
  @Column('text', { nullable: true }) couponCode!: string | null;
  @JsonColumn({ nullable: true }) metadata!: Record<string, string> | null;
  /** As billing said when the cart last changed. */
  @JsonColumn() quote!: SaleQuote;
  @JsonColumn({ nullable: true }) confirmation!: Confirmation | null;
  @JsonColumn({ nullable: true }) result!: ConfirmationResult | null;
  /** Counts confirmations that were begun: a late word on an earlier one changes nothing. */
  @Column('integer') attempt!: number;
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** Chosen when the cart is confirmed, so that the invoice is known whenever it is heard of. */
  @Column('uuid', { nullable: true }) invoiceId!: string | null;
  /** Paid, maybe before the order was known to be made. */
  @Column('boolean') invoicePaid!: boolean;
  @InstantColumn({ nullable: true }) remindedAt!: Date | null;
  @InstantColumn() expiresAt!: Date;
  /** When it did, on real time: from then on it is kept for a while. */
  @InstantColumn({ nullable: true }) expiredAt!: Date | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export const carts = rowTable(CartRow);
