import { InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who gets a customer's invoices: itself, or the parent, who pays for it. */
export const INVOICES_TO = ['self', 'parent'] as const;
export type InvoicesTo = (typeof INVOICES_TO)[number];

export type CustomerStatus = 'STATUS_ACTIVE' | 'STATUS_ARCHIVED' | 'STATUS_SUSPENDED';
export type VatIdStatus = 'unchecked' | 'valid' | 'invalid' | 'unavailable';

/**
 * A customer with its overrides of the billing settings; its addresses are rows of their own under the same version.
 */
@Entity('customer')
export class CustomerRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Rises by one with every change of the customer, its addresses or its overrides; the sequence of its events. */
  @Column('int') version!: number;
  /** The version that it is deleted in, unless anything changes it before: a later one says that it stays. */
  @Column('int', { nullable: true }) deletionVersion!: number | null;
  @Column('text') customerNumber!: string;
  @Column('text', { nullable: true }) externalId!: string | null;
  @Column('text') status!: CustomerStatus;
  @Column('text') email!: string;
  @Column('text', { nullable: true }) invoiceEmail!: string | null;
  @Column('text', { nullable: true }) phone!: string | null;
  @Column('text', { nullable: true }) companyName!: string | null;
  @Column('text', { nullable: true }) firstName!: string | null;
  @Column('text', { nullable: true }) lastName!: string | null;
  @Column('text') language!: string;
  @Column('text') countryCode!: string;
  @Column('text') currencyCode!: string;
  /** IANA zone of the customer's calendar days; follows the override, else the tenant's zone. */
  @Column('text') timeZone!: string;
  @Column('text', { nullable: true }) vatId!: string | null;
  @Column('text') vatIdStatus!: VatIdStatus;
  /** When the VAT id was last confirmed; an outage of VIES lets it hold for 30 days. */
  @InstantColumn({ nullable: true }) vatIdValidatedAt!: Date | null;
  @Column('uuid', { nullable: true }) parentCustomerId!: string | null;
  @Column('text') invoicesTo!: InvoicesTo;
  /** The customer that this one was merged into; it is archived then, and everything is the other one's. */
  @Column('uuid', { nullable: true }) mergedIntoCustomerId!: string | null;
  @Column('uuid', { nullable: true }) customerGroupId!: string | null;
  @Column('text', { nullable: true }) accountingSystemId!: string | null;
  @JsonColumn({ nullable: true }) customFields!: Record<string, string> | null;
  /** Overrides of `/settings/billing` and `timeZone`; an absent key inherits. */
  @JsonColumn() settings!: Record<string, unknown>;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
  /** Since when nothing of it is known any more but its number. */
  @InstantColumn({ nullable: true }) anonymizedAt!: Date | null;
}
