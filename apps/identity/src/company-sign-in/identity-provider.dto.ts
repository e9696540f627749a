import {
  BodyExample,
  Describe,
  FieldCheck,
  OptionalField,
  OptionalNotNullField,
  ReadOnly,
  RequiredField,
  TextFormat,
} from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, Length, MaxLength } from 'class-validator';
import { AppUri } from '../fields/app-uri.js';
import { EXAMPLE_SETTINGS } from './identity-provider.schemas.js';

/** Names as they are looked up: labels of letters, digits and hyphens, in lower case. */
const MAX_DOMAIN = 253;
const DOMAIN = '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$';

@BodyExample({ ...EXAMPLE_SETTINGS, clientSecret: 'Q2q8fJ1xwS0m3k5n7p9r1t3v' })
export class IdentityProviderDto {
  @RequiredField()
  @IsString()
  @Length(1, 500)
  @TextFormat('uri')
  @Describe('Its address, exactly as its metadata and its tokens name it.')
  issuer!: string;

  @RequiredField()
  @IsString()
  @Length(1, 255)
  @Describe('What this system is called there.')
  clientId!: string;

  @OptionalField()
  @IsString()
  @Length(1, 500)
  @Describe('Kept encrypted and never shown. Absent: the one before stays, which only the same issuer and client get.')
  clientSecret?: string | null;

  @RequiredField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @FieldCheck(
    {
      code: 'invalid_domain',
      message: 'must be domains in lower case, such as nordlicht.example',
      types: ['string'],
      schema: { pattern: DOMAIN, maxLength: MAX_DOMAIN },
      holds: (value) => typeof value === 'string' && value.length <= MAX_DOMAIN && new RegExp(DOMAIN).test(value),
    },
    { each: true },
  )
  @Describe(
    "Domains of the company's e-mail addresses; others are refused. Each has to be proved before it counts: `domainProofs`.",
  )
  domains!: string[];

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  @Describe('Roles of who signs in without having been invited. None: only users of the tenant get in.')
  newUserRoles?: string[] | null;

  @OptionalNotNullField()
  @IsBoolean()
  @Describe('Whether people may sign in by a password or passkey as well; true unless given.')
  passwordAllowed?: boolean;

  @OptionalNotNullField()
  @IsBoolean()
  @Describe(
    'Whether every sign-in needs a second factor: the provider’s (`amr` has `mfa`), or a code of the person’s own; false unless given.',
  )
  secondFactorRequired?: boolean;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(2_000, { each: true })
  @AppUri({ each: true })
  @Describe('Where programs of yours may have a code sent with which they get tokens.')
  redirectUris?: string[] | null;

  @ReadOnly()
  domainProofs?: unknown;

  @ReadOnly()
  callbackUrl?: unknown;

  @ReadOnly()
  backchannelLogoutUrl?: unknown;

  @ReadOnly()
  frontchannelLogoutUrl?: unknown;

  @ReadOnly()
  signInUrl?: unknown;

  @ReadOnly()
  updatedAt?: unknown;
}
