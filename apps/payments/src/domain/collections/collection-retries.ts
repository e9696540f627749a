import type { Intent } from '../customer-books/intent.js';

const DAY_MS = 86_400_000;

/** An intent of which nothing was tried yet, or whose story of failures is over. */
export const NO_TRIES = { attempts: 0, firstFailedAt: null, nextRetryAt: null } as const;

/**
 * Reasons after which the same method will not pay, however often it is asked: the card, account or agreement is gone,
 * blocked or refused by its owner. In the words of the gateways and of ISO 20022.
 */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  'expired_card',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'fraudulent',
  'merchant_blacklist',
  'incorrect_number',
  'invalid_number',
  'invalid_account',
  'card_not_supported',
  'currency_not_supported',
  'new_account_information_available',
  'no_action_taken',
  'not_permitted',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stop_payment_order',
  'transaction_not_allowed',
  'do_not_try_again',
  'method_gone',
  'invalid_request',
  'bank_account_closed',
  'invalid_bank_details',
  'direct_debit_not_enabled',
  'authorisation_disputed',
  'mandate_cancelled',
  'mandate_expired',
  'mandate_revoked',
  'refer_to_payer',
  'account_blocked',
  'account_unknown',
  'amount_too_large',
  'AC01',
  'AC04',
  'AC06',
  'AC13',
  'AG01',
  'MD01',
  'MD06',
  'MD07',
  'SL01',
  'MS02',
]);

/** True when a decline will not change by trying again. */
export const isFinal = (decline: { readonly reason: string; readonly final?: boolean }): boolean =>
  decline.final ?? (FINAL_REASONS.has(decline.reason) || /^(mandate|payment_method)_/.test(decline.reason));

/**
 * When a declined collection is tried again, on the tenant's clock: so many days after the first failure, at its time
 * of day. Null when the schedule is over.
 */
export function nextRetry(
  intent: Pick<Intent, 'attempts' | 'firstFailedAt'>,
  retryDays: readonly number[],
): Date | null {
  const days = [...new Set(retryDays)].sort((a, b) => a - b)[intent.attempts - 1];
  if (days === undefined || intent.firstFailedAt === null) return null;
  return new Date(intent.firstFailedAt.getTime() + days * DAY_MS);
}
