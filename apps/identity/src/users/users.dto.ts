import { BodyExample, Describe, OptionalField, RequiredField } from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsEmail, IsIn, IsString, Length } from 'class-validator';
import { PermissionsField } from '../fields/permissions-field.js';

/** Roles of one person. */
const MAX_ROLES = 20;

@BodyExample({ email: 'ada.berg@nordlicht.example', roles: ['accounting'], language: 'de' })
export class InviteUserDto {
  @RequiredField()
  @IsEmail()
  @Length(1, 254)
  email!: string;

  @RequiredField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROLES)
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  @Describe('administrator, accounting, support, read_only, or ids of own roles.')
  roles!: string[];

  @OptionalField()
  @IsIn(['de', 'en'])
  @Describe('Language of the mail; de unless given.')
  language?: 'de' | 'en' | null;
}

@BodyExample({ email: 'ada.berg@nordlicht.example' })
export class ResetSecondFactorDto {
  @RequiredField()
  @IsEmail()
  @Length(1, 254)
  @Describe('What the person signs in with.')
  email!: string;
}

@BodyExample({ roles: ['support', 'read_only'] })
export class SetUserRolesDto {
  @RequiredField()
  @IsArray()
  @ArrayMaxSize(MAX_ROLES)
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  @Describe('All roles that the person has from now on; none: nothing is allowed.')
  roles!: string[];
}

@BodyExample({ name: 'Webhooks', permissions: ['webhook:read', 'webhook:write'] })
export class UserRoleDto {
  @RequiredField()
  @IsString()
  @Length(1, 100)
  name!: string;

  @PermissionsField()
  permissions!: string[];
}
