import {
  FieldCheck,
  InstantString,
  isPermission,
  OptionalField,
  PERMISSIONS,
  RequiredField,
} from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Length } from 'class-validator';

export class NewApiKeyDto {
  @RequiredField()
  @IsString()
  @Length(1, 255)
  name!: string;

  @RequiredField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @FieldCheck(
    {
      code: 'unknown_permission',
      message: 'must be permissions such as customer:read, or *',
      types: ['string'],
      schema: { enum: [...PERMISSIONS, '*'] },
      holds: isPermission,
    },
    { each: true },
  )
  permissions!: string[];

  @OptionalField()
  @InstantString()
  expiresAt?: string | null;
}
