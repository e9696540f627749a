import type { InvoiceMailModel } from '../domain/invoice-mail/invoice-mail-model.js';
import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly amount: string;
  readonly settled: string;
  readonly due: string;
  readonly number: string;
  readonly closing: string;
}

/** Words that depend on what kind of document it is. */
const byKind = (words: Readonly<Record<InvoiceMailModel['kind'], string>>): string =>
  `{% case kind %}{% when "credit" %}${words.credit}{% when "cancel" %}${words.cancel}` +
  `{% when "cancelled_credit" %}${words.cancelled_credit}` +
  `{% when "refund" %}${words.refund}{% when "reminder" %}${words.reminder}{% when "dunning" %}${words.dunning}` +
  `{% else %}${words.invoice}{% endcase %}`;

const de: Words = {
  subject:
    byKind({
      invoice: 'Ihre Rechnung {{ number }}',
      credit: 'Ihre Rechnungskorrektur {{ number }}',
      cancel: 'Stornierung Ihrer Rechnung: {{ number }}',
      cancelled_credit: 'Stornierung Ihrer Rechnungskorrektur: {{ number }}',
      refund: 'Ihre Erstattung {{ number }}',
      reminder: 'Erinnerung an Ihre Rechnung {{ invoiceNumber }}',
      dunning: 'Mahnung zu Ihrer Rechnung {{ invoiceNumber }}',
    }) + '{% if seller != "" %} von {{ seller }}{% endif %}',
  headline: byKind({
    invoice: 'Ihre Rechnung',
    credit: 'Ihre Rechnungskorrektur',
    cancel: 'Ihre Rechnung ist storniert',
    cancelled_credit: 'Ihre Rechnungskorrektur ist storniert',
    refund: 'Ihre Erstattung',
    reminder: 'Noch offen: Ihre Rechnung',
    dunning: 'Mahnung',
  }),
  opening: byKind({
    invoice: 'anbei erhalten Sie Ihre Rechnung {{ number }} als PDF.',
    credit: 'anbei erhalten Sie die Korrektur {{ number }} als PDF.',
    cancel: 'anbei erhalten Sie die Stornorechnung {{ number }} als PDF.',
    cancelled_credit: 'anbei erhalten Sie die Stornierung {{ number }} Ihrer Rechnungskorrektur als PDF.',
    refund: 'anbei erhalten Sie den Beleg {{ number }} über Ihre Erstattung als PDF.',
    reminder:
      'Ihre Rechnung {{ invoiceNumber }} ist noch nicht vollständig bezahlt. Alles Weitere steht im Schreiben {{ number }}, das wir anhängen.',
    dunning:
      'trotz Fälligkeit ist Ihre Rechnung {{ invoiceNumber }} noch nicht vollständig bezahlt. ' +
      'Alles Weitere steht im Schreiben {{ number }}, das wir anhängen.',
  }),
  amount: byKind({
    invoice: '{% if paid %}Gesamtbetrag{% else %}Zu zahlen{% endif %}',
    credit: 'Ihr Guthaben',
    cancel: 'Stornobetrag',
    cancelled_credit: 'Stornobetrag',
    refund: 'Erstattungsbetrag',
    reminder: 'Zu zahlen',
    dunning: 'Zu zahlen',
  }),
  settled: 'Bereits beglichen',
  due: 'Fällig am',
  number: 'Belegnummer',
  closing: byKind({
    invoice:
      '{% if ended %}Diese Rechnung ist nicht mehr zu zahlen.{% elsif paid %}Sie müssen nichts weiter tun: Der Betrag ist bereits beglichen.' +
      '{% else %}Wie Sie bezahlen, steht auf der Rechnung.{% endif %}',
    credit: 'Das Guthaben verrechnen wir mit offenen Rechnungen oder zahlen es aus.',
    cancel:
      'Die Rechnung ist nicht mehr zu zahlen. Was Sie dafür schon bezahlt haben, verrechnen wir oder zahlen es zurück.',
    cancelled_credit:
      'Das Guthaben aus der stornierten Rechnungskorrektur entfällt. Was damit verrechnet oder ausgezahlt war, ist wieder zu zahlen.',
    refund: 'Sie müssen nichts weiter tun.',
    reminder: 'Haben Sie inzwischen bezahlt? Dann ist diese Nachricht gegenstandslos.',
    dunning: 'Haben Sie inzwischen bezahlt? Dann ist diese Nachricht gegenstandslos.',
  }),
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject:
    byKind({
      invoice: 'Your invoice {{ number }}',
      credit: 'Your invoice correction {{ number }}',
      cancel: 'Your invoice is cancelled: {{ number }}',
      cancelled_credit: 'Your invoice correction is cancelled: {{ number }}',
      refund: 'Your refund {{ number }}',
      reminder: 'Reminder of your invoice {{ invoiceNumber }}',
      dunning: 'Overdue: your invoice {{ invoiceNumber }}',
    }) + '{% if seller != "" %} from {{ seller }}{% endif %}',
  headline: byKind({
    invoice: 'Your invoice',
    credit: 'Your invoice correction',
    cancel: 'Your invoice is cancelled',
    cancelled_credit: 'Your invoice correction is cancelled',
    refund: 'Your refund',
    reminder: 'Still open: your invoice',
    dunning: 'Your invoice is overdue',
  }),
  opening: byKind({
    invoice: 'please find attached your invoice {{ number }} as a PDF.',
    credit: 'please find attached the correction {{ number }} as a PDF.',
    cancel: 'please find attached the cancellation {{ number }} as a PDF.',
    cancelled_credit: 'please find attached the cancellation {{ number }} of your invoice correction as a PDF.',
    refund: 'please find attached the document {{ number }} about your refund as a PDF.',
    reminder:
      'your invoice {{ invoiceNumber }} has not been paid in full. Please see the attached letter {{ number }}.',
    dunning:
      'although it is overdue, your invoice {{ invoiceNumber }} has not been paid in full. Please see the attached letter {{ number }}.',
  }),
  amount: byKind({
    invoice: '{% if paid %}Total amount{% else %}Amount due{% endif %}',
    credit: 'Your credit',
    cancel: 'Amount cancelled',
    cancelled_credit: 'Amount cancelled',
    refund: 'Amount refunded',
    reminder: 'Amount due',
    dunning: 'Amount due',
  }),
  settled: 'Already settled',
  due: 'Due on',
  number: 'Document number',
  closing: byKind({
    invoice:
      '{% if ended %}This invoice need not be paid any more.{% elsif paid %}There is nothing left to do: the amount has been settled.' +
      '{% else %}How to pay is stated on the invoice.{% endif %}',
    credit: 'The credit will be set off against open invoices or paid out.',
    cancel: 'The invoice need not be paid any more. What you have already paid for it will be set off or paid back.',
    cancelled_credit:
      'The credit of the cancelled correction does not stand any more. What it had paid, or was paid out of it, is owed again.',
    refund: 'There is nothing else to do.',
    reminder: 'If you have paid in the meantime, please disregard this message.',
    dunning: 'If you have paid in the meantime, please disregard this message.',
  }),
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}

${words.amount}: {{ amount }}
{% if settledAmount != "" %}${words.settled}: {{ settledAmount }}
{% endif %}{% if dueDate %}${words.due}: {{ dueDate }}
{% endif %}
${words.closing}

${words.regards}
{{ seller }}

${words.questions}
`;

const LABEL = 'font-size:12px;color:#666e7d';
const AMOUNT = 'font-size:22px;font-weight:600;color:#1a4a87;white-space:nowrap';
const VALUE = 'font-size:16px;font-weight:600;line-height:27px';

const cell = (label: string, value: string, style: string): string =>
  `<td style="padding:16px 20px"><div style="${LABEL}">${label}</div><div style="${style}">${value}</div></td>`;

const box = (words: Words): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f9;border-radius:8px"><tr>
${cell(words.amount, '{{ amount }}', AMOUNT)}
{% if settledAmount != "" %}${cell(words.settled, '{{ settledAmount }}', VALUE)}{% endif %}
{% if dueDate %}${cell(words.due, '{{ dueDate }}', VALUE)}{% endif %}
${cell(words.number, '{{ number }}', VALUE)}
</tr></table>
<p style="margin:24px 0 0;font-size:15px;line-height:23px">${words.closing}</p>`;

const html = (words: Words, language: MailLanguage): string => mailHtml(words, language, box(words));

/** The mail that carries a document, by language. */
export const INVOICE_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
