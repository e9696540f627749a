import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

/** A person who works for a tenant, as logs name them. */
export const UserState = Type.Object({
  id: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  /** Of mails; absent in events of earlier days. */
  language: Type.Optional(Type.Union([Type.Literal('de'), Type.Literal('en')])),
  /** Nothing can be done in the tenant any more. */
  deactivated: Type.Boolean(),
});
export type UserState = Static<typeof UserState>;

export const userChangedV1 = defineEvent({
  type: 'identity.user.changed.v1',
  topic: 'identity.user',
  description: 'Somebody became a user of a tenant, got another name or address, or is one no longer.',
  schema: stateOf(UserState),
  example: {
    id: exampleId(43),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(43),
      email: 'ada.berg@nordlicht.example',
      firstName: 'Ada',
      lastName: 'Berg',
      language: 'de',
      deactivated: false,
    },
    notices: [],
  },
});
