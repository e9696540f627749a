import { Describe, OptionalField, RequiredField } from '@kontor/service-kit';
import { IsBoolean, IsString, Length } from 'class-validator';

export class TenantDeletionDto {
  @Describe('The name of the organisation, so that it is not another one.')
  @RequiredField()
  @IsString()
  @Length(1, 255)
  name!: string;

  @Describe(
    'A sandbox only: with the waiting time and the legal terms of a live one, on its own clock. Default: false.',
  )
  @OptionalField()
  @IsBoolean()
  asLive?: boolean | null;
}
