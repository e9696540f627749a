/** Languages of documents, mails and the customer's area. */
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const GERMAN_COUNTRIES: readonly string[] = ['DE', 'AT', 'CH'];

/**
 * The language of a customer who named none: German in DE, AT and CH, English everywhere else.
 * @see docs/rules/customers.md#language
 */
export const languageOfCountry = (countryCode: string): Language =>
  GERMAN_COUNTRIES.includes(countryCode) ? 'de' : 'en';
