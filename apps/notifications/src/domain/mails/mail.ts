export type MailStatus = 'pending' | 'sent' | 'failed';

/** A file of invoicing that goes with a mail; its bytes are fetched when the mail is sent. */
export interface MailAttachment {
  readonly mediaId: string;
  readonly fileName: string;
  readonly mimeType: string;
}

/** A mail as it will be sent. */
export interface Mail {
  readonly tenantId: string;
  readonly id: string;
  readonly senderName: string;
  readonly replyTo: string | null;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly MailAttachment[];
  readonly createdAt: Date;
}

/** Pauses after the first, second … failed attempt, in seconds of real time. After the last one the mail has failed. */
const PAUSES_SECONDS = [60, 300, 1800, 7200, 21_600, 43_200] as const;

/** What becomes of a mail after its n-th attempt failed: when it is tried again, or null when it is given up. */
export function nextAttempt(attempts: number, permanent: boolean, now: Date): Date | null {
  const pause = PAUSES_SECONDS[attempts - 1];
  return permanent || pause === undefined ? null : new Date(now.getTime() + pause * 1000);
}

/** A mail server's words as a log may keep them: it likes to repeat whom it refuses. */
export const withoutAddresses = (text: string): string => text.replace(/[^\s<>"']+@[^\s<>"']+/g, '…');
