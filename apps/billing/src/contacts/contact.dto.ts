import { Describe, NullableField, OptionalField, ReadOnly, RequiredField, Uuid } from '@kontor/service-kit';
import { IsEmail, IsIn } from 'class-validator';
import { ArchivableDto } from '../catalogue/catalogue.dto.js';
import { TextField } from '../fields.js';

export class CustomerGroupDto extends ArchivableDto {
  @RequiredField() @TextField() @Describe('Unique, whatever its case.') name!: string;
  @OptionalField() @TextField({ max: 2000, blank: true }) description?: string | null;
}

/** Body of `PUT /customers/{id}/group`. */
export class AssignGroupDto {
  @NullableField() @Uuid() @Describe('Id of the group; null: in none.') customerGroup!: string | null;
}

export class ContactPersonDto {
  @ReadOnly() id?: string;
  @ReadOnly() customerId?: string;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
  @OptionalField() @IsIn(['Herr', 'Frau']) salutation?: 'Herr' | 'Frau' | null;
  @OptionalField() @TextField({ blank: true }) firstName?: string | null;
  @RequiredField() @TextField() lastName!: string;
  @OptionalField() @IsEmail() email?: string | null;
  @OptionalField() @TextField({ blank: true, max: 50 }) phone?: string | null;
  @OptionalField() @TextField({ blank: true }) @Describe('What they do there: "Accounting".') role?: string | null;
}

export class CustomerEmailDto {
  @RequiredField() @IsEmail() email!: string;
}
