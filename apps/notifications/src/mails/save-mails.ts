import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { type MailRow, mails } from './mail.row.js';

/** Due work: a mail to send, on real time. */
export const MAIL_TO_SEND = 'notifications.mail';

/** Stores written mails, which are sent after the commit. */
export async function saveMails(tx: TenantTx, written: readonly MailRow[]): Promise<void> {
  await mails.insert(tx, written);
  const dueAt = new Date();
  await scheduleDueMany(
    tx,
    written.map((mail) => ({ kind: MAIL_TO_SEND, ref: mail.id, dueAt, wall: true })),
  );
}
