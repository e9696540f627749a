import { BodyExample, Describe, FieldCheck, OptionalField } from '@kontor/service-kit';
import { IsBoolean, IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { DATEV_CHARTS } from '../domain/datev/accounts.js';

const MAX_ACCOUNTS = 200;

/** Only what is given changes. */
@BodyExample({ consultantNumber: 1001, clientNumber: 1 })
export class DatevSettingsDto {
  @OptionalField()
  @IsInt()
  @Min(1001)
  @Max(9_999_999)
  @Describe("The tax adviser's number (Beraternummer), 1001 to 9999999.")
  consultantNumber?: number | null;

  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(99_999)
  @Describe('Client number at the bookkeeper (Mandantennummer), 1 to 99999.')
  clientNumber?: number | null;

  @OptionalField()
  @IsIn([...DATEV_CHARTS])
  chart?: string | null;

  @OptionalField()
  @IsInt()
  @Min(4)
  @Max(8)
  @Describe('Digits of a ledger account (Sachkontenlänge); a debtor has one more.')
  accountLength?: number | null;

  @OptionalField()
  @Matches(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d)$/)
  @Describe('First day of the fiscal year, MM-DD.')
  fiscalYearStart?: string | null;

  @OptionalField()
  @IsBoolean()
  @Describe('Whether DATEV locks the bookings when it reads them (Festschreibung).')
  locked?: boolean | null;

  @OptionalField()
  @FieldCheck({
    code: 'invalid_object',
    message: `must be an object of at most ${MAX_ACCOUNTS} fields, each text or null`,
    types: ['object'],
    schema: {
      maxProperties: MAX_ACCOUNTS,
      additionalProperties: { type: ['string', 'null'], pattern: '^[0-9]{4,9}$' },
    },
    // Which account has the wrong digits says who merges them with those of before.
    holds: (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.keys(value).length <= MAX_ACCOUNTS &&
      Object.values(value).every((item) => item === null || typeof item === 'string'),
  })
  @Describe(
    'Account of the ledger, or of a VAT rate or case (`revenue_7`, `tax_7`, `revenue_reverse_charge`), to the ' +
      "bookkeeper's account, as text of exactly accountLength digits (receivable: one more, or as many); null: the " +
      "chart's default again.",
  )
  accounts?: Record<string, string | null> | null;
}
