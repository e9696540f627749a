import { Injectable } from '@nestjs/common';
import { storableText } from '@kontor/kernel';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueItem, LeaseLost } from '@kontor/persistence';
import { InternalClient, Log, unpackFiles } from '@kontor/service-kit';
import { type MailRow, mails } from '../mails/mail.row.js';
import { nextAttempt, withoutAddresses } from '../domain/mails/mail.js';
import { MAIL_TO_SEND } from '../mails/save-mails.js';
import { type AttachedFile, MailRefused, MailTransport } from './mail-transport.js';

/** Mails that are sent side by side, and settled in one transaction. */
const TOGETHER = 8;
const NONE: ReadonlyMap<string, Buffer> = new Map();
const OUTCOME = ['status', 'attempts', 'lastError', 'sentAt'] as const;

type Fetched = Promise<ReadonlyMap<string, Buffer>>;

/** What became of one item; without a mail there was nothing to send. */
interface Outcome {
  readonly item: DueItem;
  readonly mail: MailRow | undefined;
  readonly error: Error | undefined;
}

/** Sends the mails that were written: outside of any transaction, again after growing pauses, at most seven times. */
@Injectable()
@DueHandler({ kind: MAIL_TO_SEND, batchSize: 50, parallel: 1 })
export class SendMails {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
    private readonly transport: MailTransport,
    private readonly log: Log,
  ) {}

  async handle({ tenantId, items }: DueBatch): Promise<void> {
    const ids = items.map(({ ref }) => ref);
    const rows = await this.database.tenant(tenantId, (tx) => mails.find(tx, { id: ids }), { readOnly: true });
    const written = new Map(rows.map((mail) => [mail.id, mail]));
    for (let from = 0; from < items.length; from += TOGETHER)
      await this.sendTogether(tenantId, items.slice(from, from + TOGETHER), written);
  }

  /** What ended is stored with its neighbours: a crash repeats few mails. */
  private async sendTogether(
    tenantId: string,
    items: readonly DueItem[],
    written: ReadonlyMap<string, MailRow>,
  ): Promise<void> {
    const pending = items.map(({ ref }) => written.get(ref)).filter((mail) => mail?.status === 'pending');
    const files = this.fetch(
      tenantId,
      pending.flatMap((mail) => mail!.attachments.map(({ mediaId }) => mediaId)),
    );
    await this.settle(tenantId, await Promise.all(items.map((item) => this.send(item, written.get(item.ref), files))));
  }

  /** The files of several mails by one request, as far as they can be had so. */
  private async fetch(tenantId: string, mediaIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    if (mediaIds.length === 0) return NONE;
    return this.internal
      .bytes('invoicing', `/internal/media?ids=${[...new Set(mediaIds)].join(',')}`, { tenantId })
      .then(unpackFiles)
      .catch(() => NONE);
  }

  private async send(item: DueItem, mail: MailRow | undefined, fetched: Fetched): Promise<Outcome> {
    if (mail?.status !== 'pending') return { item, mail: undefined, error: undefined };
    const error = await this.handOver(mail, fetched).then(
      () => undefined,
      (reason: Error) => reason,
    );
    return { item, mail, error };
  }

  private async handOver(mail: MailRow, fetched: Fetched): Promise<void> {
    const files: AttachedFile[] = [];
    for (const { mediaId, fileName, mimeType } of mail.attachments) {
      // One that did not come with the others is refused, or made, by itself.
      const known = (await fetched).get(mediaId);
      const bytes =
        known ?? (await this.internal.bytes('invoicing', `/internal/media/${mediaId}`, { tenantId: mail.tenantId }));
      files.push({ fileName, mimeType, bytes });
    }
    await this.transport.send(mail, files);
  }

  private async settle(tenantId: string, outcomes: readonly Outcome[]): Promise<void> {
    try {
      await this.store(tenantId, outcomes);
    } catch (error) {
      if (!(error instanceof LeaseLost) || outcomes.length === 1) throw error;
      // One that another runner holds keeps nobody else's from being stored.
      const results = await Promise.allSettled(outcomes.map((outcome) => this.store(tenantId, [outcome])));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
  }

  /** Real time: mail servers know nothing of a sandbox clock. */
  private async store(tenantId: string, outcomes: readonly Outcome[]): Promise<void> {
    const now = new Date();
    const tried = outcomes.flatMap(({ mail, error }) => (mail ? [{ mail, ...outcomeOf(mail, error, now) }] : []));
    await this.database.tenant(tenantId, async (tx) => {
      const nextDue = new Map(tried.map(({ mail, again }) => [mail.id, again]));
      const done = outcomes.map(({ item }) => ({ item, nextDueAt: nextDue.get(item.ref) ?? null }));
      await completeDueMany(tx, MAIL_TO_SEND, done);
      const changes = tried.map(({ mail: { id }, again: _, ...outcome }) => ({ id, ...outcome }));
      await mails.update(tx, changes, OUTCOME);
    });
    for (const { mail, lastError } of tried)
      if (lastError !== null)
        this.log.warn({ tenantId, mailId: mail.id, error: withoutAddresses(lastError) }, 'a mail could not be sent');
  }
}

/** What a mail's row says after an attempt, and when it is tried again. */
function outcomeOf({ attempts: before }: MailRow, error: Error | undefined, now: Date) {
  const attempts = before + 1;
  if (!error) return { status: 'sent' as const, attempts, lastError: null, sentAt: now, again: null };
  const again = nextAttempt(attempts, error instanceof MailRefused && error.permanent, now);
  const status = again ? ('pending' as const) : ('failed' as const);
  return { status, attempts, lastError: storableText(error.message, 1_000), sentAt: null, again };
}
