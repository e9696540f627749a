import { Type } from '@sinclair/typebox';
import { orNull, text, words } from '../schema.js';
import { NOTICE_KINDS, NOTICE_STATES } from './cancellation-notice.row.js';

const reference = () => orNull(Type.Object({ id: Type.String({ format: 'uuid' }) }));

export const CancellationNoticeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: words(NOTICE_KINDS),
    name: Type.String(),
    email: Type.String(),
    contract: Type.String({ description: 'Which contract, in words of the one who cancels.' }),
    reason: text(),
    wantedOn: Type.Unsafe<string | null>({
      ...orNull(Type.String({ format: 'date' })),
      description: 'The day that was asked for; null: as early as possible.',
    }),
    state: Type.Unsafe<(typeof NOTICE_STATES)[number]>({
      ...words(NOTICE_STATES),
      description: '`unclear`: nobody but you can say which contract is meant.',
    }),
    failure: orNull(Type.String({ description: 'Why the contract could not be cancelled.' })),
    customer: reference(),
    subscription: reference(),
    receivedAt: Type.String({ format: 'date-time', description: 'When it arrived.' }),
  },
  { $id: 'CancellationNotice' },
);
