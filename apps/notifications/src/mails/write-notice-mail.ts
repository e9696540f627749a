import type { CustomerState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { MailRow } from './mail.row.js';
import { greetingOf, languageOf, type MailLanguage, type MailSeller } from '../domain/mails/wording.js';
import { OwnTemplates } from './own-templates.js';
import { saveMails } from './save-mails.js';
import type { MailTemplate } from './mail-template.js';

export interface NoticeMail {
  readonly kind: string;
  /** What it is about; one mail per kind and reference. */
  readonly reference: string;
  readonly customerId: string;
  /** Who gets it; the customer when absent. */
  readonly recipient?: string;
  /** The customer's when absent. */
  readonly language?: MailLanguage;
  readonly templates: Readonly<Record<MailLanguage, MailTemplate>>;
  /** Who gets the answers; the seller's contact when absent. */
  readonly replyTo?: string | null;
  /** The values beside `greeting`, `seller` and `contactPhone`. */
  readonly model: (language: MailLanguage, customer: CustomerState) => object;
}

/** Names of `/templates` where they are others than the mail's. */
const TEMPLATE_KINDS: Readonly<Record<string, string>> = { auto_top_up_disabled: 'top_up_disabled' };

/**
 * Writes a mail without files to a customer, in the customer's language; it is sent after the commit. A customer that
 * was deleted gets none.
 */
export async function writeNoticeMail(tx: TenantTx, replicas: Replicas, notice: NoticeMail): Promise<void> {
  const customer = await replicas.get<CustomerState>(tx, 'customer', notice.customerId);
  if (!customer) return;
  const language = notice.language ?? languageOf(customer.language);
  await writeMail(tx, replicas, {
    ...notice,
    language,
    recipient: notice.recipient ?? customer.email,
    values: { greeting: greetingOf(customer, language), ...notice.model(language, customer) },
  });
}

/** A mail to somebody who need not be a customer. */
export interface StrangerMail extends Pick<NoticeMail, 'kind' | 'reference' | 'templates' | 'replyTo'> {
  readonly customerId: string | null;
  readonly recipient: string;
  readonly language: MailLanguage;
  /** The values beside `seller` and `contactPhone`. */
  readonly values: object;
}

/** Writes a mail without files to an address. */
export async function writeMail(tx: TenantTx, replicas: Replicas, notice: StrangerMail): Promise<void> {
  const { language } = notice;
  const settings = await replicas.get<{ seller?: MailSeller }>(tx, 'settings', tx.tenantId);
  const seller = settings?.seller?.company ?? '';
  const model = { seller, contactPhone: settings?.seller?.contact?.phone ?? null, ...notice.values };
  const templateKind = TEMPLATE_KINDS[notice.kind] ?? notice.kind;
  const templates = await OwnTemplates.load(tx, [templateKind]);
  const mail: MailRow = {
    ...templates.render(templateKind, language, { standard: notice.templates[language], model }),
    tenantId: tx.tenantId,
    id: newUuid(),
    kind: notice.kind,
    reference: notice.reference,
    status: 'pending',
    senderName: seller,
    replyTo: notice.replyTo ?? settings?.seller?.contact?.email ?? null,
    customerId: notice.customerId,
    recipient: notice.recipient,
    language,
    attachments: [],
    attempts: 0,
    lastError: null,
    createdAt: tx.now,
    sentAt: null,
  };
  await saveMails(tx, [mail]);
}
