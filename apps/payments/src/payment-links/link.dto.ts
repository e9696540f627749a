import { Describe, OptionalField, RequiredField, Uuid } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsString, IsUrl, Length } from 'class-validator';
import { LINK_TYPES } from './offered-methods.js';

export class CreateMethodLinkDto {
  @RequiredField()
  @Uuid()
  customerId!: string;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsIn([...LINK_TYPES], { each: true })
  @Describe('Types of methods (or gateways) that may be added; everything that the tenant can do unless given.')
  allowedTypes?: string[] | null;

  @OptionalField()
  @IsBoolean()
  @Describe('Sends the link to the customer by e-mail.')
  sendEmail?: boolean | null;

  /** Where the customer goes afterwards, with `status` and `paymentMethodId` added. */
  @OptionalField()
  @IsString()
  @Length(1, 2000)
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  redirectUrl?: string | null;
}

export const METHOD_LINK_SCHEMA = Type.Object(
  {
    link: Type.Optional(Type.String({ format: 'uri', description: 'Shown once.' })),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'PaymentMethodLink' },
);
