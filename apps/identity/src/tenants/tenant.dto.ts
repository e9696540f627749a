import { InstantString, OptionalField, RequiredField } from '@kontor/service-kit';
import { ArrayMaxSize, IsArray, IsIn, IsString, Length } from 'class-validator';
import { FEATURES } from '../domain/tenant.js';

export class FeaturesDto {
  @RequiredField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @IsIn(FEATURES, { each: true })
  features!: string[];
}

export class NewTenantDto {
  @RequiredField()
  @IsString()
  @Length(1, 255)
  name!: string;

  /** Absent: live. */
  @OptionalField()
  @IsIn(['live', 'sandbox'])
  mode?: 'live' | 'sandbox' | null;

  @OptionalField()
  @IsIn(['standard', 'enterprise'])
  plan?: 'standard' | 'enterprise' | null;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @IsIn(FEATURES, { each: true })
  features?: string[] | null;
}

export class NewSandboxTenantDto {
  @RequiredField()
  @IsString()
  @Length(1, 255)
  name!: string;

  @OptionalField()
  @IsIn(['standard', 'enterprise'])
  plan?: 'standard' | 'enterprise' | null;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @IsIn(FEATURES, { each: true })
  features?: string[] | null;

  /** Where the tenant's clock stands; absent: real time. */
  @OptionalField()
  @InstantString()
  now?: string | null;
}
