import { type Static, Type } from '@sinclair/typebox';

const money = Type.Object(
  { amount: Type.Integer({ description: 'Minor units' }), currencyCode: Type.String() },
  { $id: 'Money' },
);
const month = Type.String({ description: '`YYYY-MM`.' });
const group = Type.Union([Type.String(), Type.Null()], {
  description:
    'Code of the plan, or country code of the customer, as `groupBy` asks; null where there is none, or for all together.',
});
const rate = Type.Union([Type.String(), Type.Null()]);
const of = { month, currencyCode: Type.String(), group };

export const mrrSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...of,
        mrr: money,
        new: money,
        expansion: money,
        contraction: money,
        churn: money,
        reactivation: money,
        transfer: money,
        subscriptions: Type.Integer({ description: 'How many subscriptions have an amount, at the end of the month.' }),
      }),
    ),
  },
  { $id: 'MrrReport' },
);
export type MrrJson = Static<typeof mrrSchema>;

export const arrSchema = Type.Object(
  { data: Type.Array(Type.Object({ ...of, arr: money, subscriptions: Type.Integer() })) },
  { $id: 'ArrReport' },
);
export type ArrJson = Static<typeof arrSchema>;

export const churnSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...of,
        subscriptionsAtStart: Type.Integer(),
        subscriptionsLost: Type.Integer(),
        subscriptionChurnRate: rate,
        mrrAtStart: money,
        mrrLost: money,
        grossChurnRate: rate,
        netChurnRate: rate,
      }),
    ),
  },
  { $id: 'ChurnReport' },
);
export type ChurnJson = Static<typeof churnSchema>;

export const usageReportSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...of,
        metric: Type.Object({
          id: Type.String(),
          name: Type.String(),
          unit: Type.Union([Type.String(), Type.Null()]),
        }),
        quantity: Type.String(),
        amount: money,
      }),
    ),
  },
  { $id: 'UsageReport' },
);
export type UsageReportJson = Static<typeof usageReportSchema>;
