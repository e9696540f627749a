import { InstantColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who somebody is at the company's identity provider: known by it from the first sign-in on, whatever the e-mail address. */
@Entity('provider_login')
export class ProviderLoginRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') issuer!: string;
  @Column('text') subject!: string;
  @Column('uuid') personId!: string;
  @InstantColumn() createdAt!: Date;
}

export const providerLogins = rowTable(ProviderLoginRow);
