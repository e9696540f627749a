import type { CustomerState, EventOf, offerLinkSentV1 } from '@kontor/contracts';
import { greetingOf, type MailLanguage } from '../domain/mails/wording.js';

type Recipient = Pick<EventOf<typeof offerLinkSentV1>['payload'], 'email' | 'recipientName'>;

/** How a mail about an offer begins: its recipient need not be the person whom the customer names. */
export function recipientGreeting(
  { email, recipientName }: Recipient,
  customer: CustomerState,
  language: MailLanguage,
): string {
  const isCustomer = recipientName === undefined || email.toLowerCase() === customer.email.toLowerCase();
  if (isCustomer && !recipientName) return greetingOf(customer, language);
  return greetingOf({ firstName: recipientName ?? null, lastName: null }, language);
}
