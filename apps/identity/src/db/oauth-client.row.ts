import { InstantColumn, JsonColumn, rowTable } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const AUTH_METHODS = ['client_secret_post', 'client_secret_basic', 'none'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** An app that signs a tenant's customers in. */
@Entity('oauth_client')
export class OauthClientRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  /** SHA-256 in hex; null for an app that cannot keep a secret. */
  @Column('text', { nullable: true }) secretDigest!: string | null;
  @Column('text') tokenEndpointAuthMethod!: AuthMethod;
  @JsonColumn() redirectUris!: string[];
  @JsonColumn() scopes!: string[];
  @JsonColumn() postLogoutRedirectUris!: string[];
  @Column('text', { nullable: true }) frontchannelLogoutUri!: string | null;
  @Column('text', { nullable: true }) backchannelLogoutUri!: string | null;
  @InstantColumn() createdAt!: Date;
}

export const oauthClients = rowTable(OauthClientRow);
