import { BigintColumn, InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OfferApproval } from '../domain/offers/approval.js';
import type { DealType } from '../domain/offers/deal-type.js';
import type {
  AcceptanceMode,
  ContactPerson,
  Offer,
  OfferChoice,
  OfferStatus,
  PublishedOffer,
} from '../domain/offers/offer.js';
import type { OfferSection } from '../domain/offers/sections.js';
import type { InvoiceDetails } from '../domain/offers/accept.js';

/** What follows from an accepted offer: still to be done, done, or refused by billing. */
export type SaleState = 'pending' | 'done' | 'failed';

@Entity('offer')
export class OfferRow implements Offer {
  @PrimaryColumn('uuid') tenantId!: string;
  /** ULID. */
  @PrimaryColumn('text') id!: string;
  @BigintColumn() version!: bigint;
  @Column('text') number!: string;
  @Column('text') status!: OfferStatus;
  @Column('uuid') customerId!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text') dealType!: DealType;
  @Column('text') acceptanceMode!: AcceptanceMode;
  @Column('text', { nullable: true }) locale!: string | null;
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  @Column('boolean') autoActivateSubscription!: boolean;
  @Column('text', { nullable: true }) crmDealId!: string | null;
  @JsonColumn({ nullable: true }) customVariables!: Record<string, string | number | boolean | null> | null;
  @JsonColumn() sections!: readonly OfferSection[];
  @JsonColumn({ nullable: true }) contactPerson!: ContactPerson | null;
  @InstantColumn({ nullable: true }) validUntil!: Date | null;
  @InstantColumn({ nullable: true }) issuedAt!: Date | null;
  @InstantColumn({ nullable: true }) expiredFor!: Date | null;
  @JsonColumn() reminderDays!: readonly number[];
  @InstantColumn({ nullable: true }) remindedAt!: Date | null;
  @JsonColumn() approvers!: readonly string[];
  @JsonColumn({ nullable: true }) approval!: OfferApproval | null;
  @Column('text') currentVersionHash!: string;
  @Column('text', { nullable: true }) publishedVersionHash!: string | null;
  @JsonColumn({ nullable: true }) published!: PublishedOffer | null;
  @JsonColumn({ nullable: true }) choice!: OfferChoice | null;
  @InstantColumn({ nullable: true }) acceptedAt!: Date | null;
  @InstantColumn({ nullable: true }) signedAt!: Date | null;
  @JsonColumn({ nullable: true }) capturedInvoiceDetails!: InvoiceDetails | null;
  @Column('text', { nullable: true }) saleState!: SaleState | null;
  @Column('text', { nullable: true }) saleFailure!: string | null;
  /** What billing made of it: a subscription that waits for acceptance, or that was sold or changed; and an invoice. */
  @Column('uuid', { nullable: true }) madeSubscriptionId!: string | null;
  @Column('uuid', { nullable: true }) madeInvoiceId!: string | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export const offers = rowTable(OfferRow);
