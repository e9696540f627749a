import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { InstantText, NullableText } from '../../schemas.js';

export const cancellationNoticeReceivedV1 = defineEvent({
  type: 'offers.cancellation-notice.received.v1',
  topic: 'offers.cancellation-notice',
  description:
    'Somebody declared a cancellation on the public page: what was declared, and when it arrived, is to be confirmed by mail at once.',
  schema: Type.Object({
    noticeId: Type.String(),
    kind: Type.Union([Type.Literal('ordinary'), Type.Literal('extraordinary')]),
    name: Type.String(),
    email: Type.String(),
    contract: Type.String(),
    reason: NullableText,
    wantedOn: NullableText,
    language: Type.String(),
    receivedAt: InstantText,
    timeZone: Type.String(),
  }),
  example: {
    noticeId: exampleId(53),
    kind: 'ordinary',
    name: 'Jule Brandt',
    email: 'jule@backhaus-elbe.example',
    contract: 'S-10001',
    reason: null,
    wantedOn: null,
    language: 'de',
    receivedAt: '2026-03-02T09:00:00.000Z',
    timeZone: 'Europe/Berlin',
  },
});
