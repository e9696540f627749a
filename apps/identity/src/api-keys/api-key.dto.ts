import {
  Describe,
  BodyExample,
  FieldCheck,
  InstantString,
  isIpRange,
  OptionalField,
  RequiredField,
} from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { PermissionsField } from '../fields/permissions-field.js';

@BodyExample({ name: 'Shop', permissions: ['customer:read', 'customer:write'] })
export class NewApiKeyDto {
  @RequiredField()
  @IsString()
  @Length(1, 255)
  name!: string;

  @PermissionsField()
  permissions!: string[];

  @OptionalField()
  @InstantString()
  @Describe('Until when it counts, in real time. Absent: as long as the key that creates it.')
  expiresAt?: string | null;

  @OptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @FieldCheck(
    {
      code: 'invalid_ip_range',
      message: 'must be addresses or ranges such as 203.0.113.0/24',
      types: ['string'],
      schema: { maxLength: 43 },
      holds: isIpRange,
    },
    { each: true },
  )
  @Describe(
    'Where it may be used from: addresses, or ranges such as 203.0.113.0/24. Absent: where the key that creates it may be.',
  )
  allowedIps?: string[] | null;
}

export class RotateApiKeyDto {
  @OptionalField()
  @IsInt()
  @Min(0)
  @Max(2_592_000)
  @Describe('How many seconds the old key goes on; 86400 unless given.')
  overlapSeconds?: number | null;
}
