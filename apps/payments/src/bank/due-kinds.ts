/** Lines wait to be matched; the ref is an import's id, or `open`: all lines that nobody has touched. */
export const MATCH_BANK = 'payments.match_bank';
