import type { InvoiceRoute } from './group-charges.js';
import type { AccountCharge } from './rated-account.js';
import type { Account, RatingContext } from './rating-context.js';

/** A line with the account that it is of, and who gets its invoice. */
export interface AddressedCharge extends AccountCharge {
  readonly account: Account;
  readonly recipientId: string;
}

/** Methods and addresses of a subscription are its own customer's: on another's invoice they are that one's. */
const USUAL: InvoiceRoute = { paymentMethodId: null, invoiceAddressId: null };

/**
 * Who gets the invoice of a line: whoever pays for its account. What takes something back, or corrects it, goes to
 * whoever got that.
 */
export function addressed(line: AccountCharge, account: Account, rating: RatingContext): AddressedCharge {
  const recipientId = recipientOf(line, account, rating);
  return { ...line, account, recipientId, route: recipientId === account.customerId ? line.route : USUAL };
}

function recipientOf(
  { charge: { kind, creditedChargeId, itemId } }: AccountCharge,
  { customerId, payerId, corrections }: Account,
  { billed, recipients }: RatingContext,
): string {
  if (creditedChargeId === null) return payerId;
  const before =
    kind === 'correction'
      ? corrections.find(({ chargeId }) => chargeId === creditedChargeId)
      : billed.get(itemId)?.find(({ id }) => id === creditedChargeId);
  if (!before) return payerId;
  // One that was merged has its survivor.
  return before.recipientId ? (recipients.get(before.recipientId)?.customerId ?? payerId) : customerId;
}
