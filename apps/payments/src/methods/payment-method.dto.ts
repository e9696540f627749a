import { NotSupportedYet, OptionalField, RequiredField, Uuid } from '@kontor/service-kit';
import { IsBoolean, IsIn, IsString, IsUrl } from 'class-validator';
import { GATEWAYS, METHOD_TYPES, type GatewayName, type PaymentMethodType } from '../domain/payment-method.js';

export class CreatePaymentMethodDto {
  @IsIn([...GATEWAYS])
  gateway!: GatewayName;

  @OptionalField()
  @IsIn([...METHOD_TYPES])
  type?: PaymentMethodType | null;

  @RequiredField()
  @Uuid()
  customerId!: string;

  @OptionalField()
  @IsBoolean()
  isDefault?: boolean | null;

  @OptionalField()
  @IsBoolean()
  futureUsageAllowed?: boolean | null;

  @NotSupportedYet()
  sepaMandate?: unknown;

  @NotSupportedYet()
  cardProvider?: unknown;

  @NotSupportedYet()
  debitProvider?: unknown;

  /** Where the payer goes after an action; none of the built gateways asks for one when a method is added. */
  @OptionalField()
  @IsString()
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  redirectUrl?: string | null;
}

export class MakeDefaultDto {
  @OptionalField()
  @Uuid()
  customerId?: string | null;
}
