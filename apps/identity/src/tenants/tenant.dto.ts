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

class NewTenantFields {
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
}

export class NewTenantDto extends NewTenantFields {
  /** Absent: live. */
  @OptionalField()
  @IsIn(['live', 'sandbox'])
  mode?: 'live' | 'sandbox' | null;
}

export class NewSandboxTenantDto extends NewTenantFields {
  /** Where the tenant's clock stands; absent: real time. */
  @OptionalField()
  @InstantString()
  now?: string | null;
}
