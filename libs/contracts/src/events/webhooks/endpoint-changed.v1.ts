import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { nullable, stateOf } from '../../schemas.js';

export const webhookEndpointChangedV1 = defineEvent({
  type: 'webhooks.endpoint.changed.v1',
  topic: 'webhooks.endpoint',
  description: 'A webhook endpoint was created, changed, disabled or removed. The secret is never in it.',
  schema: stateOf(
    Type.Object({
      id: Type.String(),
      url: Type.String(),
      enabled: Type.Boolean(),
      disabledReason: nullable(Type.String()),
    }),
  ),
  example: {
    id: exampleId(60),
    version: 1,
    deleted: false,
    state: { id: exampleId(60), url: 'https://example.com/hook', enabled: true, disabledReason: null },
    notices: [],
  },
});
