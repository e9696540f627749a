import type { Offer } from './offer.js';
import type { Recipient } from './accept.js';

const DAY_MS = 86_400_000;

/** When recipients are reminded next: so many days before the end, each time once. Null: never as it stands. */
export function nextReminder({ status, issuedAt, validUntil, remindedAt, reminderDays }: Offer): Date | null {
  if ((status !== 'open' && status !== 'signing') || !issuedAt || !validUntil) return null;
  const after = Math.max(issuedAt.getTime(), remindedAt?.getTime() ?? 0);
  const times = reminderDays.map((days) => validUntil.getTime() - days * DAY_MS).filter((time) => time > after);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Those whose signature is missing, and whose turn it is. */
export function waitedFor<R extends Recipient>(recipients: readonly R[]): R[] {
  const open = recipients.filter(({ role, signedAt }) => role === 'sign' && signedAt === null);
  const turn = Math.min(...open.map((recipient) => recipient.turn));
  return open.filter((recipient) => recipient.turn === turn);
}
