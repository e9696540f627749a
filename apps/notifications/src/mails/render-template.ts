import { boundTemplates } from '@kontor/kernel';
import { Liquid, type Template } from 'liquidjs';
import type { MailTemplate } from './mail-template.js';

/** Tenants write templates, too: no files, limits on time and memory, and only the values that are given. */
const LIMITS = {
  templates: {},
  parseLimit: 100_000,
  renderLimit: 200,
  memoryLimit: 1_000_000,
  ownPropertyOnly: true,
  // `{% if dueDate %}` asks whether there is one, as `{% if dueDate != "" %}` does.
  jsTruthy: true,
};
/** An order may have a thousand lines, and its mail has some steps for each. Between two mails others have their turn. */
const STEPS = { maxSteps: 200_000 };
const plain = boundTemplates(new Liquid({ cache: false, ...LIMITS }), STEPS);
const escaping = boundTemplates(new Liquid({ cache: false, outputEscape: 'escape', ...LIMITS }), STEPS);

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
