import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { nullable, stateOf } from '../../schemas.js';

/** Texts of a kind of document or mail in a language, as the tenant wrote them; those that are missing are the system's. */
export const TemplateState = Type.Object({
  kind: Type.String(),
  language: Type.String(),
  /** `title`, `introduction`, `closing` of documents; `subject`, `body` of mails. Liquid. */
  texts: Type.Record(Type.String(), nullable(Type.String())),
});

export const templateChangedV1 = defineEvent({
  type: 'invoicing.template.changed.v1',
  topic: 'invoicing.template',
  description: 'The texts of a kind of document or mail were written. The id is `<kind>/<language>`.',
  schema: stateOf(TemplateState),
  example: {
    id: 'mail.invoice/de',
    version: 1,
    deleted: false,
    state: {
      kind: 'mail.invoice',
      language: 'de',
      texts: { subject: 'Ihre Rechnung {{ number }}', body: '{{ greeting }} anbei Ihre Rechnung.' },
    },
    notices: [],
  },
});
