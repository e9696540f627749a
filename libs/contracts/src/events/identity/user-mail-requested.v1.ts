import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { InstantText, nullable, NullableText } from '../../schemas.js';

export const UserMail = Type.Object({
  mailId: Type.String(),
  /** What the mail is about; each has a text of its own. */
  kind: Type.Union([
    Type.Literal('invitation'),
    Type.Literal('password_reset'),
    Type.Literal('email_change'),
    Type.Literal('email_changed'),
    Type.Literal('password_changed'),
    Type.Literal('second_factor_changed'),
    Type.Literal('account_deleted'),
  ]),
  recipient: Type.String(),
  /** Whom it greets; null where nobody is known. */
  name: NullableText,
  language: Type.Union([Type.Literal('de'), Type.Literal('en')]),
  tenantName: Type.String(),
  /** Where a click leads; null for what is only to be known. Who has it can use it. */
  link: NullableText,
  expiresAt: nullable(InstantText),
});
export type UserMail = Static<typeof UserMail>;

export const userMailRequestedV1 = defineEvent({
  type: 'identity.user-mail.requested.v1',
  topic: 'identity.user-mail',
  description:
    'A mail is to be sent to somebody who works for a tenant, or is invited to: an invitation, a link for a new password or address, or word of a change.',
  schema: UserMail,
  example: {
    mailId: exampleId(44),
    kind: 'invitation',
    recipient: 'ada.berg@nordlicht.example',
    name: null,
    language: 'de',
    tenantName: 'Nordlicht Software GmbH',
    link: 'https://billing.example/public/account/invitation/kJ0n7hQ0yq9m2m0m5n1w7y',
    expiresAt: '2026-03-08T10:00:00.000Z',
  },
});
