import { type UserMail, userMailRequestedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';

/** Has a mail sent, once per id: with what it is about, in this transaction. */
export async function requestMail(
  tx: TenantTx,
  mail: Omit<UserMail, 'mailId' | 'expiresAt'> & { readonly mailId?: string; readonly expiresAt: Date | null },
): Promise<void> {
  const mailId = mail.mailId ?? newUuid();
  await appendEvent(tx, userMailRequestedV1, {
    aggregateId: mailId,
    aggregateSeq: 1,
    payload: { ...mail, mailId, expiresAt: mail.expiresAt?.toISOString() ?? null },
  });
}
