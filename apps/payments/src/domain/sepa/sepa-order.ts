/** A transaction's id as banks carry it along. */
export const endToEndIdOf = (transactionId: string): string => transactionId.replaceAll('-', '');

/** The most that one SEPA payment may be: 999,999,999.99 EUR. */
export const SEPA_LIMIT_MINOR = 99_999_999_999n;
