import { DecimalString, Describe, OptionalField, ReadOnly, RequiredField, Uuid } from '@kontor/service-kit';
import { IsString, Length } from 'class-validator';

export class UsageThresholdDto {
  @ReadOnly() id?: string;
  @ReadOnly() createdAt?: string;

  @RequiredField() @Uuid() metric!: string;

  @OptionalField()
  @IsString()
  @Length(1, 255)
  @Describe('Id, external id or customer number; null: each customer by itself.')
  customerId?: string | null;

  @RequiredField()
  @DecimalString({ min: '0.00000000000000000001', max: '999999999999999999999999999999' })
  value!: string;
}
