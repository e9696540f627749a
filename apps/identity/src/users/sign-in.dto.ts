import { BodyExample, Describe, OptionalField, RequiredField, Uuid } from '@kontor/service-kit';
import { IsEmail, IsString, Length, Matches } from 'class-validator';

@BodyExample({ email: 'ada.berg@nordlicht.example', password: 'correct horse battery' })
export class UserSignInDto {
  @RequiredField()
  @IsEmail()
  @Length(1, 254)
  email!: string;

  @RequiredField()
  @IsString()
  @Length(1, 1000)
  password!: string;

  @OptionalField()
  @IsString()
  @Length(1, 40)
  @Describe('A code of the app, or a recovery code, where a second factor is set up.')
  code?: string | null;

  @OptionalField()
  @Uuid()
  @Describe('The tenant to act in; absent: the first that the person joined.')
  tenantId?: string | null;
}

@BodyExample({ tenantId: '0199f000-0000-7000-8000-000000000001' })
export class OtherTenantDto {
  @RequiredField()
  @Uuid()
  tenantId!: string;
}

@BodyExample({ refreshToken: 'urt_T3v5x7z9B1D3F5H7J9L1N3P5R7T9V1X3Z5b7d9f1h3j0d4e5f6' })
export class RefreshUserDto {
  @RequiredField()
  @IsString()
  @Length(1, 200)
  refreshToken!: string;
}

@BodyExample({ email: 'ada.berg@nordlicht.example' })
export class RequestPasswordResetDto {
  @RequiredField()
  @IsEmail()
  @Length(1, 254)
  email!: string;
}

@BodyExample({ code: 'Zr8mX2kq4vB7nT1sJ5wY0d', codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' })
export class SignInCodeDto {
  @RequiredField()
  @IsString()
  @Length(1, 100)
  code!: string;

  @RequiredField()
  @IsString()
  @Length(43, 128)
  @Matches(/^[A-Za-z0-9._~-]+$/)
  @Describe('Of which `codeChallenge` was made (PKCE, S256).')
  codeVerifier!: string;
}
