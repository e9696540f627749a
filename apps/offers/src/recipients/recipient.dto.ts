import { Describe, OptionalField, ReadOnly, RequiredField } from '@kontor/service-kit';
import { IsBoolean, IsEmail, IsIn, IsInt, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import { RECIPIENT_ROLES, type RecipientRole } from '../domain/offers/accept.js';

/** Somebody who gets a link to an offer. */
export class RecipientDto {
  @RequiredField() @IsEmail() @MaxLength(320) email!: string;
  @OptionalField() @IsString() @Length(1, 255) firstName?: string | null;
  @OptionalField() @IsString() @Length(1, 255) lastName?: string | null;
  @OptionalField() @IsIn(RECIPIENT_ROLES) @Describe('Default: sign.') role?: RecipientRole | null;
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(100)
  @Describe('Signers sign in the order of their turns, from 1 (default); those of the same turn in any order.')
  turn?: number | null;
  @OptionalField()
  @IsBoolean()
  @Describe('True: the link is mailed to the recipient, at once where the offer is published, else when it is.')
  sendEmail?: boolean | null;
  @ReadOnly() id?: unknown;
  @ReadOnly() link?: unknown;
  @ReadOnly() signed?: unknown;
  @ReadOnly() signedAt?: unknown;
}
