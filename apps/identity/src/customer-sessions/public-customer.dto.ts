import { RequiredField } from '@kontor/service-kit';
import { IsEmail, IsString, Length } from 'class-validator';

export class RequestLoginLinkDto {
  @RequiredField()
  @IsEmail()
  email!: string;
}

export class LoginDto {
  /** The last part of a login link's address. */
  @RequiredField()
  @IsString()
  @Length(1, 100)
  token!: string;
}

export class RefreshDto {
  @RequiredField()
  @IsString()
  @Length(1, 200)
  refreshToken!: string;
}
