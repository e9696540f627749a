import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { eInvoiceSchema } from './e-invoice.schema.js';

export const fileFormSchema = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description: 'An e-invoice as XML (CII or UBL), or a PDF with one inside; at most 20 MiB.',
    }),
  },
  { additionalProperties: false },
);

const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const said = (description: string) => Type.String({ description });

export const inspectionSchema = Type.Object({
  valid: Type.Boolean({ description: 'No rule that is checked here refuses it.' }),
  syntax: orNull(Type.Unsafe<'cii' | 'ubl'>(Type.String({ enum: ['cii', 'ubl'] })), 'Null: the file is no e-invoice.'),
  profile: orNull(Type.String(), 'The usual name of the specification that the file names, else what it names.'),
  rules: orNull(Type.String(), 'The edition of the rules that was applied.'),
  checkedRules: Type.Array(Type.String(), {
    description: 'The rules that are checked; a file without findings may break others.',
  }),
  results: Type.Array(
    Type.Object({
      ruleId: said('As the norm or KoSIT names the rule; `FORMAT` and `PROFILE`: there is no invoice to check.'),
      severity: Type.Unsafe<'fatal' | 'error' | 'warning'>(
        Type.String({ enum: ['fatal', 'error', 'warning'], description: 'Warnings leave the invoice valid.' }),
      ),
      location: said('Business term of EN 16931: `BT-115`, `BG-25[2]/BT-153`.'),
      message: said('What is wrong, in English.'),
      messages: Type.Object(
        { de: said('What is wrong, in German.'), en: said('What is wrong, in English.') },
        { description: 'What is wrong, by language.' },
      ),
    }),
    { maxItems: 1_000, description: 'What the rules find, the first 1,000 of it; empty when nothing is wrong.' },
  ),
  invoice: orNull(
    eInvoiceSchema,
    'By the terms of EN 16931, attachments without their bytes; null when the file is no e-invoice.',
  ),
});
export type InspectionJson = Static<typeof inspectionSchema>;
