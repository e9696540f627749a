import type { UserMail } from '@kontor/contracts';
import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';
import { USER_MAIL_TEXTS, type UserMailText } from './user-mail-texts.js';

type Kind = UserMail['kind'];

const CLOSING: Readonly<Record<MailLanguage, { regards: string; questions: string }>> = {
  de: { regards: 'Mit freundlichen Grüßen', questions: 'Diese E-Mail wurde automatisch verschickt.' },
  en: { regards: 'Kind regards', questions: 'This e-mail was sent automatically.' },
};

const LINK_STYLE =
  'display:inline-block;padding:14px 28px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none';

const buttonOf = (label: string): string => `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="background:#1a4a87;border-radius:10px">
<a href="{{ link }}" target="_blank" rel="noreferrer" style="${LINK_STYLE}">${label}</a></td></tr></table>`;

function templateOf(words: UserMailText, language: MailLanguage): MailTemplate {
  const { regards, questions } = CLOSING[language];
  const link = words.button ? `\n${words.button}:\n{{ link }}\n` : '';
  const frame = { headline: words.headline, opening: words.opening, regards, questions };
  return {
    subject: words.subject,
    text: `{{ greeting }}\n\n${words.opening}\n${link}\n${words.safety}\n\n${regards}\n{{ seller }}\n\n${questions}\n`,
    html: mailHtml(frame, language, (words.button ? buttonOf(words.button) : '') + smallPrint(words.safety)),
  };
}

const made = new Map<string, MailTemplate>();

/** The mail of a kind in a language; made once. */
export function userMailTemplate(kind: Kind, language: MailLanguage): MailTemplate {
  const key = `${kind} ${language}`;
  let template = made.get(key);
  if (!template) made.set(key, (template = templateOf(USER_MAIL_TEXTS[language][kind], language)));
  return template;
}
