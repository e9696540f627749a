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
  const settings = await replicas.get<{ seller?: MailSeller }>(tx, 'settings', tx.tenantId);
  const language = notice.language ?? languageOf(customer.language);
  const seller = settings?.seller?.company ?? '';
  const model = {
    greeting: greetingOf(customer, language),
    seller,
    contactPhone: settings?.seller?.contact?.phone ?? null,
    ...notice.model(language, customer),
  };
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
    replyTo: settings?.seller?.contact?.email ?? null,
    customerId: notice.customerId,
    recipient: notice.recipient ?? customer.email,
    language,
    attachments: [],
    attempts: 0,
    lastError: null,
    createdAt: tx.now,
    sentAt: null,
  };
  await saveMails(tx, [mail]);
}
