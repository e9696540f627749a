import type { MailLanguage } from '../domain/mails/wording.js';
import { plainHtml } from './mail-frame.js';
import type { MailTemplate } from './mail-template.js';

const templates = new Map<string, MailTemplate>();
const MAX_TEMPLATES = 500;

/** A tenant's plain text as a mail: the HTML has its lines, and what is filled in is escaped. Parsed once. */
export function ownMail(
  { subject, body }: { readonly subject: string; readonly body: string },
  language: MailLanguage,
): MailTemplate {
  const key = JSON.stringify([subject, body, language]);
  let template = templates.get(key);
  if (!template) {
    if (templates.size >= MAX_TEMPLATES) templates.clear();
    template = { subject, text: body, html: plainHtml(language, htmlOf(body)) };
    templates.set(key, template);
  }
  return template;
}

/** The text around tags of Liquid escaped, its lines kept. */
const htmlOf = (body: string): string =>
  body
    .split(/(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\})/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\n/g, '<br>\n');
