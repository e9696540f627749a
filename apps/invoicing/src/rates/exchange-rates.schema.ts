import { type Static, Type } from '@sinclair/typebox';

export const exchangeRatesSchema = Type.Object(
  {
    rates: Type.Array(
      Type.Object({ date: Type.String({ format: 'date' }), currencyCode: Type.String(), rate: Type.String() }),
    ),
  },
  { $id: 'ExchangeRates' },
);
export type ExchangeRatesJson = Static<typeof exchangeRatesSchema>;
