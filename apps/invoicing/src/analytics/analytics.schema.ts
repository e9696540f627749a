import { type Static, Type } from '@sinclair/typebox';

const money = Type.Object(
  { amount: Type.Integer({ description: 'Minor units' }), currencyCode: Type.String() },
  { $id: 'Money' },
);
const group = Type.Union([Type.String(), Type.Null()], {
  description:
    'Country code, or name of the product, as `groupBy` asks; null where there is none, or for all together.',
});

export const revenueSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        month: Type.String({ description: '`YYYY-MM`, in the zone of the tenant.' }),
        currencyCode: Type.String(),
        group,
        invoiced: money,
        recognized: money,
        deferred: money,
      }),
    ),
  },
  { $id: 'RevenueReport' },
);
export type RevenueJson = Static<typeof revenueSchema>;

export const receivablesSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        currencyCode: Type.String(),
        group,
        documents: Type.Integer(),
        notDue: money,
        days1To30: money,
        days31To60: money,
        days61To90: money,
        over90Days: money,
        credits: money,
        total: money,
      }),
    ),
  },
  { $id: 'ReceivablesReport' },
);
export type ReceivablesJson = Static<typeof receivablesSchema>;
