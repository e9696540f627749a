import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the people of a tenant sign in with what their company gave them; at most one per tenant. */
@Entity('identity_provider')
export class IdentityProviderRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') issuer!: string;
  @Column('text') clientId!: string;
  /** Sealed. */
  @Column('text') clientSecret!: string;
  /** In lower case. */
  @JsonColumn() domains!: string[];
  /** What the tenant shows in the DNS of its domains. */
  @Column('text') domainProof!: string;
  /** Those of its domains that it has shown to be its own: the only ones that count. */
  @JsonColumn() provedDomains!: string[];
  /** What somebody becomes who signs in for the first time; empty: only users of the tenant get in. */
  @JsonColumn() newUserRoles!: string[];
  @Column('boolean') passwordAllowed!: boolean;
  @Column('boolean') secondFactorRequired!: boolean;
  /** Where programs have codes sent. */
  @JsonColumn() redirectUris!: string[];
  @InstantColumn() updatedAt!: Date;
}

export const identityProviders = rowTable(IdentityProviderRow);
