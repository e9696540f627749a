import { Describe, OptionalField, ReadOnly, RequiredField, Uuid } from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString, Length, MaxLength } from 'class-validator';
import { AUTH_METHODS, type AuthMethod } from '../../db/oauth-client.row.js';
import { SCOPES } from '../../domain/oauth-scopes.js';
import { AppUri } from '../../fields/app-uri.js';

/** An app that signs customers in. */
export class OauthClientDto {
  @RequiredField()
  @IsString()
  @Length(1, 255)
  name!: string;

  @RequiredField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(2_000, { each: true })
  @AppUri({ each: true })
  redirectUris!: string[];

  /** What it may ask for; absent: all there is. */
  @OptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @IsString({ each: true })
  @IsIn(SCOPES, { each: true })
  scopes?: string[] | null;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(2_000, { each: true })
  @AppUri({ each: true })
  postLogoutRedirectUris?: string[] | null;

  @OptionalField()
  @IsString()
  @MaxLength(2_000)
  @AppUri()
  frontchannelLogoutUri?: string | null;

  @OptionalField()
  @IsString()
  @MaxLength(2_000)
  @AppUri()
  backchannelLogoutUri?: string | null;

  @OptionalField()
  @IsIn(AUTH_METHODS)
  tokenEndpointAuthMethod?: AuthMethod | null;

  @ReadOnly()
  clientId?: unknown;

  @ReadOnly()
  clientSecret?: unknown;

  @ReadOnly()
  createdAt?: unknown;
}

export class NewOauthClientDto extends OauthClientDto {
  @OptionalField()
  @Uuid()
  @Describe('Whose customers it signs in; absent: those of the tenant of the key.')
  tenantId?: string | null;
}
