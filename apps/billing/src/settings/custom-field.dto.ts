import { hasAtMost } from '@kontor/kernel';
import { Describe, FieldCheck, OptionalField, ReadOnly } from '@kontor/service-kit';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn } from 'class-validator';
import { TextField } from '../fields.js';

export const CUSTOM_FIELD_OBJECTS = ['customer', 'subscription', 'invoice', 'product'] as const;
export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'select'] as const;

/** Body of `POST /custom-fields`. */
export class CustomFieldDto {
  @ReadOnly() id?: string;
  @FieldCheck({
    code: 'invalid_format',
    message: 'must begin with a letter and have letters, digits, _ and - only, at most 64',
    types: ['string'],
    schema: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' },
    holds: (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(value),
  })
  key!: string;
  @OptionalField() @TextField() @Describe('For people; the key when absent.') name?: string | null;
  @OptionalField() @IsIn(CUSTOM_FIELD_OBJECTS) object?: (typeof CUSTOM_FIELD_OBJECTS)[number] | null;
  @OptionalField() @IsIn(CUSTOM_FIELD_TYPES) type?: (typeof CUSTOM_FIELD_TYPES)[number] | null;
  @OptionalField() @IsArray() @ArrayMaxSize(200) @OptionField() @Describe('Allowed values of a select.') options?:
    string[] | null;
  @OptionalField() @IsBoolean() required?: boolean | null;
  @ReadOnly() createdAt?: string;
}

function OptionField(): PropertyDecorator {
  return FieldCheck(
    {
      code: 'invalid_length',
      message: 'must have 1 to 255 characters',
      types: ['string'],
      schema: { minLength: 1, maxLength: 255, pattern: '\\S' },
      holds: (value) => typeof value === 'string' && value.trim().length >= 1 && hasAtMost(value, 255),
    },
    { each: true },
  );
}
