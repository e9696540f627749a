import { type TSchema, Type } from '@sinclair/typebox';

/** What the answers of this service are made of. */
export const words = <W extends string>(values: readonly W[], description?: string) =>
  Type.Unsafe<W>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
    ),
  );
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const text = () => orNull(Type.String());
export const instant = () => orNull(Type.String({ format: 'date-time' }));
export const money = () => Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });

/** What something costs, as billing says: the lines of its first invoice, their sums, and what comes again. */
export const LinesSchema = Type.Array(
  Type.Object({
    name: Type.String(),
    description: text(),
    quantity: Type.String(),
    netAmount: money(),
    discountAmount: orNull(money()),
  }),
);
export const TotalsSchema = Type.Object({ net: money(), tax: money(), gross: money(), discount: money() });
export const RecurringSchema = Type.Array(Type.Object({ interval: Type.String(), net: money(), gross: money() }), {
  description: 'What comes again in each interval: without what is measured, and without discounts that end.',
});
