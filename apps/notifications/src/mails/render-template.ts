import { Liquid, type Template } from 'liquidjs';
import type { MailTemplate } from './mail-template.js';

const plain = new Liquid({ cache: false });
const escaping = new Liquid({ cache: false, outputEscape: 'escape' });

interface Parsed {
  readonly subject: Template[];
  readonly text: Template[];
  readonly html: Template[];
}
const parsed = new WeakMap<MailTemplate, Parsed>();

function parse(template: MailTemplate): Parsed {
  let found = parsed.get(template);
  if (!found) {
    found = {
      subject: plain.parse(template.subject),
      text: plain.parse(template.text),
      html: escaping.parse(template.html),
    };
    parsed.set(template, found);
  }
  return found;
}

/** Subject, text and HTML of a mail. The subject is one line. */
export function renderTemplate(template: MailTemplate, model: object): { subject: string; text: string; html: string } {
  const { subject, text, html } = parse(template);
  return {
    subject: (plain.renderSync(subject, model) as string).replace(/\s+/g, ' ').trim(),
    text: plain.renderSync(text, model) as string,
    html: escaping.renderSync(html, model) as string,
  };
}
