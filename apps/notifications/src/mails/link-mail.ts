import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from './mail-frame.js';
import type { MailTemplate } from './mail-template.js';

/** What a mail says whose point is a link. */
export interface LinkMailWords extends MailFrame {
  readonly subject: string;
  readonly button: string;
  readonly until: string;
  readonly safety: string;
}

type Words = Readonly<Record<MailLanguage, LinkMailWords>>;

const LINK_STYLE =
  'display:inline-block;padding:14px 28px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none';

/** A mail with one link, `link`, under a button. */
export const linkMail = (words: Words): Readonly<Record<MailLanguage, MailTemplate>> =>
  inBoth(words, {
    links: () => '\n{{ link }}\n',
    buttons: ({ button }) => buttonOf('link', button, ''),
  });

/** A mail with one button for each `entry` of `links`. */
export const linksMail = (words: Words): Readonly<Record<MailLanguage, MailTemplate>> =>
  inBoth(words, {
    links: ({ button }) => `{% for entry in links %}\n${button}:\n{{ entry.link }}\n{% endfor %}`,
    buttons: ({ button }) =>
      `{% for entry in links %}${buttonOf('entry.link', button, '\n<tr><td height="12"></td></tr>')}{% endfor %}`,
  });

const buttonOf = (link: string, label: string, gap: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="background:#1a4a87;border-radius:10px">
<a href="{{ ${link} }}" target="_blank" rel="noreferrer" style="${LINK_STYLE}">${label}</a></td></tr>${gap}</table>`;

interface Parts {
  readonly links: (words: LinkMailWords) => string;
  readonly buttons: (words: LinkMailWords) => string;
}

const inBoth = (words: Words, parts: Parts): Readonly<Record<MailLanguage, MailTemplate>> => ({
  de: templateOf(words.de, 'de', parts),
  en: templateOf(words.en, 'en', parts),
});

const templateOf = (words: LinkMailWords, language: MailLanguage, { links, buttons }: Parts): MailTemplate => ({
  subject: words.subject,
  text: `{{ greeting }}

${words.opening}
${links(words)}
${words.until} ${words.safety}

${words.regards}
{{ seller }}

${words.questions}
`,
  html: mailHtml(words, language, `${buttons(words)}\n${smallPrint(`${words.until} ${words.safety}`)}`),
});
