import type { NoticeType } from './notice-types.js';
import type { CustomerId, Id } from '@kontor/kernel';
import { type Static, type TSchema, Type } from '@sinclair/typebox';

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const NullableText = nullable(Type.String());
/** An id of one kind of object. In the schema it is a text like any other. */
export const idOf = <I extends Id<string>>() => Type.Unsafe<I>(Type.String());
/** ISO 8601 UTC with milliseconds. */
export const InstantText = Type.String();

/** A public consequence of a change: a webhook (when it has data), an activity entry (when it has activity). */
export const Notice = Type.Object({
  /** Name of the webhook and of the activity: `invoice.finalized`. */
  type: Type.Unsafe<NoticeType>(Type.String()),
  objectId: Type.String(),
  /** `{ invoice: <GET's representation at this moment> }`; null: not delivered as a webhook. */
  data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  customerId: nullable(idOf<CustomerId>()),
  activity: Type.Union([Type.Object({ metadata: Type.Record(Type.String(), Type.Unknown()) }), Type.Null()]),
});
export type Notice = Static<typeof Notice>;

/** Payload of every state-carrying event. `state` is null when `deleted`. */
export const stateOf = <S extends TSchema>(state: S) =>
  Type.Object({
    id: Type.String(),
    /** Version of the aggregate; a copy takes only newer ones. */
    version: Type.Integer({ minimum: 1 }),
    deleted: Type.Boolean(),
    state: Type.Union([state, Type.Null()]),
    notices: Type.Array(Notice),
  });

export const MoneySchema = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });
export const UnitPriceSchema = Type.Object({
  amount: Type.Integer(),
  currencyCode: Type.String(),
  precision: Type.Optional(Type.Integer()),
});
