import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly amount: string;
  readonly due: string;
  readonly number: string;
  readonly closing: string;
}

const de: Words = {
  subject:
    '{% if kind == "credit" %}Ihre Rechnungskorrektur {{ number }}{% else %}Ihre Rechnung {{ number }}{% endif %}' +
    '{% if seller != "" %} von {{ seller }}{% endif %}',
  headline: '{% if kind == "credit" %}Ihre Rechnungskorrektur{% else %}Ihre Rechnung{% endif %}',
  opening:
    '{% if kind == "credit" %}anbei erhalten Sie die Korrektur {{ number }} als PDF.' +
    '{% else %}anbei erhalten Sie Ihre Rechnung {{ number }} als PDF.{% endif %}',
  amount: '{% if kind == "credit" %}Ihr Guthaben{% elsif paid %}Gesamtbetrag{% else %}Zu zahlen{% endif %}',
  due: 'Fällig am',
  number: 'Belegnummer',
  closing:
    '{% if kind == "credit" %}Das Guthaben verrechnen wir mit offenen Rechnungen oder zahlen es aus.' +
    '{% elsif paid %}Sie müssen nichts weiter tun: Der Betrag ist bereits beglichen.' +
    '{% else %}Wie Sie bezahlen, steht auf der Rechnung.{% endif %}',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject:
    '{% if kind == "credit" %}Your invoice correction {{ number }}{% else %}Your invoice {{ number }}{% endif %}' +
    '{% if seller != "" %} from {{ seller }}{% endif %}',
  headline: '{% if kind == "credit" %}Your invoice correction{% else %}Your invoice{% endif %}',
  opening:
    '{% if kind == "credit" %}please find attached the correction {{ number }} as a PDF.' +
    '{% else %}please find attached your invoice {{ number }} as a PDF.{% endif %}',
  amount: '{% if kind == "credit" %}Your credit{% elsif paid %}Total amount{% else %}Amount due{% endif %}',
  due: 'Due on',
  number: 'Document number',
  closing:
    '{% if kind == "credit" %}The credit will be set off against open invoices or paid out.' +
    '{% elsif paid %}There is nothing left to do: the amount has been settled.' +
    '{% else %}How to pay is stated on the invoice.{% endif %}',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}

${words.amount}: {{ amount }}
{% if dueDate %}${words.due}: {{ dueDate }}
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
