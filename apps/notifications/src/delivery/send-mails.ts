import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem } from '@kontor/persistence';
import { InternalClient, Log } from '@kontor/service-kit';
import { type MailRow, mails } from '../mails/mail.row.js';
import { nextAttempt } from '../domain/mails/mail.js';
import { MAIL_TO_SEND } from '../mails/save-mails.js';
import { type AttachedFile, MailRefused, MailTransport } from './mail-transport.js';

const AT_ONCE = 4;
const OUTCOME = ['status', 'attempts', 'lastError', 'sentAt'] as const;

/** Sends the mails that were written: outside of any transaction, again after growing pauses, at most seven times. */
@Injectable()
@DueHandler({ kind: MAIL_TO_SEND, batchSize: 50 })
export class SendMails {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
    private readonly transport: MailTransport,
    private readonly log: Log,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    const queue = [...batch.items];
    const lane = async (): Promise<void> => {
      for (let item = queue.shift(); item; item = queue.shift()) await this.send(batch.tenantId, item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  private async send(tenantId: string, item: DueItem): Promise<void> {
    const mail = await this.database.tenant(tenantId, (tx) => mails.get(tx, item.ref), { readOnly: true });
    let error: Error | undefined;
    if (mail?.status === 'pending') {
      error = await this.handOver(mail).then(
        () => undefined,
        (reason: Error) => reason,
      );
    }
    await this.settle(tenantId, item, mail, error);
  }

  private async handOver(mail: MailRow): Promise<void> {
    const files: AttachedFile[] = [];
    for (const { mediaId, fileName, mimeType } of mail.attachments) {
      const bytes = await this.internal.bytes('invoicing', `/internal/media/${mediaId}`, { tenantId: mail.tenantId });
      files.push({ fileName, mimeType, bytes });
    }
    await this.transport.send(mail, files);
  }

  /** Real time: mail servers know nothing of a sandbox clock. */
  private async settle(tenantId: string, item: DueItem, mail: MailRow | null, error: Error | undefined): Promise<void> {
    const now = new Date();
    await this.database.tenant(tenantId, async (tx) => {
      if (mail?.status !== 'pending') return completeDue(tx, MAIL_TO_SEND, item);
      const attempts = mail.attempts + 1;
      const again = error ? nextAttempt(attempts, error instanceof MailRefused && error.permanent, now) : null;
      const status = error ? (again ? 'pending' : 'failed') : 'sent';
      const lastError = error?.message.slice(0, 1000) ?? null;
      await mails.update(tx, { id: mail.id, status, attempts, lastError, sentAt: error ? null : now }, OUTCOME);
      await completeDue(tx, MAIL_TO_SEND, item, again);
    });
    if (error) this.log.warn({ tenantId, mailId: item.ref, error: error.message }, 'a mail could not be sent');
  }
}
