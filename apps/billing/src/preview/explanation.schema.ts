import { Type } from '@sinclair/typebox';
import { orNull, TextOrNull } from '../schema.js';

const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const minor = (description: string) => Type.Integer({ description: `${description} Minor units.` });
const values = Type.Record(Type.String(), Type.String());
const days = Type.Object(
  { from: text('First day.'), to: text('The day after the last one.') },
  { description: "Days of the customer's calendar." },
);

const discount = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  percentage: TextOrNull,
  fixedAmount: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What there was to take off the line. Minor units; null: a percentage.',
  }),
  amount: minor('What it took off the line.'),
});

const slice = Type.Object({
  quantity: text('Units of the slice, as decimal text.'),
  unitPrice: textOrNull('Price of one unit in major units, as decimal text; null: none.'),
  flatPrice: textOrNull('Price of the whole slice in major units, as decimal text; null: none.'),
  amount: text('What the slice comes to in major units, as decimal text, not rounded.'),
  group: Type.Optional(values),
});

const usage = Type.Object({
  source: Type.String({ enum: ['usage', 'measurement'], description: 'What measured it.' }),
  id: text('Id of the usage metric or the measurement.'),
  name: TextOrNull,
  unit: TextOrNull,
  quantity: text('Measured in the period, before free units, as decimal text.'),
  groups: Type.Array(Type.Object({ group: values, quantity: Type.String() }), {
    description: 'What of it each group has, where prices depend on groups.',
  }),
  closingId: textOrNull('Id of the frozen amounts; null: usage so far.'),
  correction: Type.Optional(
    Type.Object(
      {
        quantity: text('What the period had been billed with, as decimal text.'),
        billed: minor('What it had cost.'),
        now: minor('What it costs.'),
      },
      { description: 'Of a line that corrects an earlier one.' },
    ),
  ),
});

/** What an explanation consists of. */
export const explained = {
  period: days,
  interval: days,
  days: Type.Union(
    [
      Type.Object({
        used: Type.Integer({ description: 'How many days of the interval the line is for.' }),
        of: Type.Integer({ description: 'How many days the interval has.' }),
      }),
      Type.Null(),
    ],
    { description: 'What part of the interval the line is for; null: all of it.' },
  ),
  priceType: text('Price model.'),
  quantity: Type.String(),
  freeUnits: Type.Integer(),
  slices: Type.Array(slice, { description: 'Of each price how many units it is for.' }),
  discounts: Type.Array(discount, { description: 'What each discount took off.' }),
  minimumPrice: Type.Boolean({ description: 'Whether the minimum price holds.' }),
  credit: orNull(
    Type.Object(
      { billed: minor('What had been billed.'), used: minor('What of that was used.') },
      { description: 'Of a credit.' },
    ),
  ),
  usage: Type.Optional(usage),
};

/** Why a line costs what it costs. */
export const explanationSchema = Type.Unsafe<Record<string, unknown>>(Type.Object(explained));
