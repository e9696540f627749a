import { isTimeZone, hasAtMost } from '@kontor/kernel';
import { FieldCheck } from '@kontor/service-kit';
import { isCountryCode } from './domain/customers/countries.js';

interface TextLimits {
  readonly min?: number;
  readonly max?: number;
  /** Nothing but blanks counts as "not given". */
  readonly blank?: boolean;
}

/** Text of `min` characters without surrounding blanks, and of `max` with them; 255 unless said otherwise. */
export const TextField = ({ min = 1, max = 255, blank = false }: TextLimits = {}): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_length',
    message: `must have ${min} to ${max} characters`,
    types: ['string'],
    schema: { ...(blank ? {} : { minLength: min }), maxLength: max, ...patternOf(min, blank) },
    holds: (value) => {
      if (typeof value !== 'string') return false;
      const { length } = value.trim();
      return (length >= min || (blank && length === 0)) && hasAtMost(value, max);
    },
  });

/** The same as a regular expression; none where every text has the length. */
function patternOf(min: number, blank: boolean): { pattern?: string } {
  if (blank && min <= 1) return {};
  const filled = min > 1 ? '\\S[\\s\\S]*\\S' : '\\S';
  return { pattern: blank ? `^\\s*$|${filled}` : filled };
}

/** ISO 3166-1 alpha-2, upper case. */
export const CountryField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_country',
    message: 'must be an ISO 3166-1 alpha-2 country code',
    types: ['string'],
    schema: { format: 'iso-3166', examples: ['DE'] },
    holds: isCountryCode,
  });

/** An IANA zone such as `Europe/Berlin`; offsets are no zones, because they know no daylight saving. */
export const TimeZoneField = (): PropertyDecorator =>
  FieldCheck({
    code: 'invalid_time_zone',
    message: 'must be an IANA time zone such as Europe/Berlin',
    types: ['string'],
    schema: { format: 'time-zone', maxLength: 64 },
    holds: (value) => isTimeZone(value) && /^[A-Za-z]/.test(value as string),
  });

/** Text without surrounding blanks; nothing left is null. */
export const textOrNull = (value: string | null | undefined): string | null => value?.trim() || null;
