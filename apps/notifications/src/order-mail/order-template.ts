import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly discount: string;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly then: string;
  readonly byUse: string;
  readonly trial: string;
  readonly term: string;
  readonly invoice: string;
  readonly terms: string;
  readonly withdrawal: string;
  readonly more: string;
}

const de: Words = {
  subject: 'Ihre Bestellung{% if seller != "" %} bei {{ seller }}{% endif %}',
  headline: 'Vielen Dank für Ihre Bestellung',
  opening: 'wir bestätigen Ihre Bestellung vom {{ orderedOn }}:',
  discount: 'Rabatt',
  net: 'Netto',
  tax: 'Umsatzsteuer',
  total: 'Gesamt',
  then: 'Danach {{ entry.interval }}: {{ entry.gross }} inkl. Umsatzsteuer',
  byUse: '{{ entry.name }}, nach Verbrauch {{ entry.interval }} (netto): {{ entry.price }}',
  trial: 'Die ersten {{ trialDays }} Tage sind kostenlos.',
  term:
    '{% if firstTerm != "" %}Mindestlaufzeit: {{ firstTerm }}. Danach verlängert sich der Vertrag um jeweils {{ nextTerm }}. ' +
    '{% if notice != "" %}Kündigungsfrist: {{ notice }} zum Ende der Laufzeit.{% else %}Kündbar zum Ende der Laufzeit.{% endif %}' +
    '{% elsif notice != "" %}Kündigungsfrist: {{ notice }} zum Ende des Abrechnungszeitraums.{% endif %}',
  invoice: 'Die Rechnung erhalten Sie in einer eigenen E-Mail.',
  terms: 'Es gelten die Allgemeinen Geschäftsbedingungen: {{ termsUrl }}',
  withdrawal:
    'Verbraucher können den Vertrag binnen 14 Tagen ab Vertragsschluss ohne Angabe von Gründen widerrufen, durch eine eindeutige Erklärung an ' +
    'uns, zum Beispiel als Antwort auf diese E-Mail. Für Leistungen, die auf Ihren Wunsch davor begonnen haben, ist ein angemessener Betrag zu zahlen.',
  more: 'Mehr dazu: {{ withdrawalUrl }}',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Your order{% if seller != "" %} at {{ seller }}{% endif %}',
  headline: 'Thank you for your order',
  opening: 'we confirm your order of {{ orderedOn }}:',
  discount: 'Discount',
  net: 'Net',
  tax: 'VAT',
  total: 'Total',
  then: 'Then {{ entry.interval }}: {{ entry.gross }} including VAT',
  byUse: '{{ entry.name }}, by use, {{ entry.interval }} (net): {{ entry.price }}',
  trial: 'The first {{ trialDays }} days are free.',
  term:
    '{% if firstTerm != "" %}Minimum term: {{ firstTerm }}. It is then renewed for {{ nextTerm }} at a time. ' +
    '{% if notice != "" %}Notice period: {{ notice }} before the end of the term.{% else %}It can be cancelled until the end of the term.{% endif %}' +
    '{% elsif notice != "" %}Notice period: {{ notice }} before the end of the billing period.{% endif %}',
  invoice: 'You will receive the invoice in an e-mail of its own.',
  terms: 'The terms and conditions apply: {{ termsUrl }}',
  withdrawal:
    'Consumers may withdraw from the contract within 14 days of its conclusion without giving a reason, by a clear statement to us, for example ' +
    'by replying to this e-mail. For services that have begun earlier at your request, an appropriate amount is to be paid.',
  more: 'More about it: {{ withdrawalUrl }}',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}

{% for line in lines %}{{ line.quantity }} × {{ line.name }}: {{ line.amount }}
{% endfor %}
{% if discount != "" %}${words.discount}: {{ discount }}
{% endif %}${words.net}: {{ net }}
${words.tax}: {{ tax }}
${words.total}: {{ gross }}
{% for entry in recurring %}${words.then}
{% endfor %}{% for entry in measured %}${words.byUse}
{% endfor %}{% if trialDays > 0 %}${words.trial}
{% endif %}{% if firstTerm != "" or notice != "" %}${words.term}
{% endif %}
${words.invoice}

{% if termsUrl != "" %}${words.terms}

{% endif %}${words.withdrawal}{% if withdrawalUrl != "" %} ${words.more}{% endif %}

${words.regards}
{{ seller }}

${words.questions}
`;

const cell = (content: string, more = ''): string =>
  `<td style="padding:6px 0;border-bottom:1px solid #d5dbe5;font-size:15px${more}">${content}</td>`;
const right = ';text-align:right;white-space:nowrap;padding-left:12px';
const row = (label: string, amount: string): string => `<tr>${cell(label)}${cell(amount, right)}</tr>`;

const html = (words: Words, language: MailLanguage): string =>
  mailHtml(
    words,
    language,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
{% for line in lines %}${row('{{ line.quantity }} × {{ line.name }}', '{{ line.amount }}')}{% endfor %}
{% if discount != "" %}${row(words.discount, '{{ discount }}')}{% endif %}
${row(words.net, '{{ net }}')}${row(words.tax, '{{ tax }}')}${row(`<strong>${words.total}</strong>`, '<strong>{{ gross }}</strong>')}</table>
{% for entry in recurring %}${smallPrint(words.then)}{% endfor %}
{% for entry in measured %}${smallPrint(words.byUse)}{% endfor %}{% if trialDays > 0 %}${smallPrint(words.trial)}{% endif %}
{% if firstTerm != "" or notice != "" %}${smallPrint(words.term)}{% endif %}
${smallPrint(words.invoice)}{% if termsUrl != "" %}${smallPrint(words.terms)}{% endif %}
${smallPrint(`${words.withdrawal}{% if withdrawalUrl != "" %} ${words.more}{% endif %}`)}`,
  );

/** The mail that confirms an order, by language. @see § 312f (2), § 312i (1) no. 3 BGB */
export const ORDER_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
