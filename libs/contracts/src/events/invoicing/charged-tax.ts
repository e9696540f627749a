import { Type } from '@sinclair/typebox';
import { MoneySchema } from '../../schemas.js';

/** What of a document is charged under one VAT category (EN 16931) and rate (per cent). */
export const ChargedTax = Type.Object({
  category: Type.String(),
  rate: Type.String(),
  /** The other country of the EU where the tax is owed (one-stop shop); absent: not in one other country. */
  destination: Type.Optional(Type.String()),
  netAmount: MoneySchema,
  taxAmount: MoneySchema,
});
