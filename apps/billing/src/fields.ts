import { isTimeZone } from '@kontor/kernel';
import { FieldCheck } from '@kontor/service-kit';
import { isCountryCode } from './domain/customers/countries.js';

interface TextLimits {
  readonly min?: number;
  readonly max?: number;
  /** Nothing but blanks counts as "not given". */
  readonly blank?: boolean;
}

/** Text within a length, counted without surrounding blanks; 255 characters at most unless said otherwise. */
export const TextField = ({ min = 1, max = 255, blank = false }: TextLimits = {}): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_length',
    message: `must have ${min} to ${max} characters`,
    types: ['string'],
    schema: { ...(blank ? {} : { minLength: min }), maxLength: max },
    holds: (value) => {
      if (typeof value !== 'string') return false;
      const { length } = value.trim();
      return (blank && length === 0 && value.length <= max) || (length >= min && length <= max);
    },
  });

/** ISO 3166-1 alpha-2, upper case. */
export const CountryField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_country',
    message: 'must be an ISO 3166-1 alpha-2 country code',
    types: ['string'],
    schema: { pattern: '^[A-Z]{2}$' },
    holds: isCountryCode,
  });

/** An IANA zone such as `Europe/Berlin`; offsets are no zones, because they know no daylight saving. */
export const TimeZoneField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_time_zone',
    message: 'must be an IANA time zone such as Europe/Berlin',
    types: ['string'],
    schema: { maxLength: 64 },
    holds: (value) => isTimeZone(value) && /^[A-Za-z]/.test(value as string),
  });

/** Text without surrounding blanks; nothing left is null. */
export const textOrNull = (value: string | null | undefined): string | null => value?.trim() || null;
