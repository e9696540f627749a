import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

const text = (description: string) => Type.String({ description });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description} Null: not stated.` });

/** A day, or what the file has in its place. */
const day = (description: string) => Type.Union([Type.String({ format: 'date' }), Type.String()], { description });
const dayOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date' }), Type.String(), Type.Null()], {
    description: `${description} Null: not stated.`,
  });

const address = (description: string) =>
  Type.Object(
    {
      line1: textOrNull('First line of the address.'),
      line2: textOrNull('Second line of the address.'),
      zip: textOrNull('Postcode.'),
      city: textOrNull('City.'),
      country: text('ISO 3166-1 alpha-2 code.'),
    },
    { description },
  );
const period = (description: string) =>
  Type.Union([Type.Object({ from: textOrNull('First day.'), to: textOrNull('Last day.') }), Type.Null()], {
    description,
  });

const party = (description: string) =>
  Type.Object(
    {
      name: text('BT-27, BT-44.'),
      id: textOrNull('BT-29, BT-46.'),
      legalId: textOrNull('BT-30, BT-47.'),
      vatId: textOrNull('BT-31, BT-48.'),
      taxNumber: textOrNull('BT-32.'),
      legalText: textOrNull('BT-33.'),
      endpoint: Type.Union(
        [Type.Object({ id: text('Electronic address.'), scheme: text('Of the EAS list; `EM`: e-mail.') }), Type.Null()],
        { description: 'BT-34, BT-49; null: none.' },
      ),
      address: address('BG-5, BG-8.'),
      contact: Type.Union(
        [
          Type.Object({
            name: textOrNull('Who it is.'),
            phone: textOrNull('Telephone number.'),
            email: textOrNull('E-mail address.'),
          }),
          Type.Null(),
        ],
        { description: 'BG-6, BG-9; null: none.' },
      ),
    },
    { description },
  );

const allowance = {
  charge: Type.Boolean({ description: 'True for a charge, false for an allowance.' }),
  amount: text('BT-92, BT-99, BT-136, BT-141; decimal text in major units.'),
  baseAmount: textOrNull('What a percentage is of, as decimal text in major units.'),
  percentage: textOrNull('Percent, as decimal text.'),
  reason: textOrNull('Why.'),
  reasonCode: textOrNull('Why, as a code.'),
};
const vat = { category: text('Category code of UNCL 5305.'), rate: textOrNull('Percent, as decimal text.') };

const group = (description: string, properties: TProperties) =>
  Type.Union([Type.Object(properties), Type.Null()], { description: `${description} Null: none.` });

const payment = Type.Object({
  code: text('BT-81.'),
  text: textOrNull('BT-82.'),
  remittance: textOrNull('BT-83.'),
  account: group('BG-17.', { iban: text('BT-84.'), name: textOrNull('BT-85.'), bic: textOrNull('BT-86.') }),
  card: group('BG-18.', { number: text('BT-87.'), holder: textOrNull('BT-88.') }),
  debit: group('BG-19.', {
    mandate: textOrNull('BT-89.'),
    creditorId: textOrNull('BT-90.'),
    account: textOrNull('BT-91.'),
  }),
});

const totals = Type.Object(
  {
    lines: text('BT-106.'),
    allowances: textOrNull('BT-107.'),
    charges: textOrNull('BT-108.'),
    net: text('BT-109.'),
    tax: textOrNull('BT-110.'),
    taxInTaxCurrency: textOrNull('BT-111.'),
    gross: text('BT-112.'),
    prepaid: textOrNull('BT-113.'),
    rounding: textOrNull('BT-114.'),
    payable: text('BT-115.'),
  },
  { description: 'BG-22; decimal texts in major units.' },
);

const taxRow = Type.Object({
  base: text('BT-116, as decimal text in major units.'),
  tax: text('BT-117, as decimal text in major units.'),
  ...vat,
  reason: textOrNull('BT-120.'),
  reasonCode: textOrNull('BT-121.'),
});

const line = Type.Object({
  id: text('BT-126.'),
  note: textOrNull('BT-127.'),
  quantity: text('BT-129, as decimal text.'),
  unit: text('BT-130.'),
  net: text('BT-131, as decimal text in major units.'),
  orderLine: textOrNull('BT-132.'),
  period: period('BG-26; null: none.'),
  allowances: Type.Array(Type.Object(allowance), { description: 'BG-27, BG-28.' }),
  price: text('BT-146, as decimal text in major units.'),
  baseQuantity: textOrNull('BT-149, as decimal text.'),
  ...vat,
  name: text('BT-153.'),
  description: textOrNull('BT-154.'),
});

/** An invoice by the terms of EN 16931. Days are `YYYY-MM-DD`; what a file lacks is an empty text. */
export const eInvoiceSchema = Type.Unsafe<Record<string, unknown>>(
  Type.Object({
    specification: text('BT-24.'),
    process: textOrNull('BT-23.'),
    number: text('BT-1.'),
    issueDate: day('BT-2.'),
    typeCode: text('BT-3.'),
    currency: text('BT-5.'),
    taxCurrency: textOrNull('BT-6.'),
    dueDate: dayOrNull('BT-9.'),
    buyerReference: textOrNull('BT-10.'),
    contract: textOrNull('BT-12.'),
    order: textOrNull('BT-13.'),
    buyerAccount: textOrNull('BT-19.'),
    paymentTerms: textOrNull('BT-20.'),
    notes: Type.Array(Type.String(), { description: 'BT-22.' }),
    preceding: Type.Array(Type.Object({ number: text('BT-25.'), issueDate: dayOrNull('BT-26.') }), {
      description: 'BG-3.',
    }),
    seller: party('BG-4.'),
    buyer: party('BG-7.'),
    delivery: Type.Union(
      [
        Type.Object({
          date: textOrNull('BT-72.'),
          name: textOrNull('BT-70.'),
          address: orNull(address('BG-15.')),
        }),
        Type.Null(),
      ],
      { description: 'BG-13; null: none.' },
    ),
    period: period('BG-14; null: none.'),
    payment: Type.Union([payment, Type.Null()], { description: 'BG-16; null: none.' }),
    allowances: Type.Array(Type.Object({ ...allowance, ...vat }), { description: 'BG-20, BG-21.' }),
    totals,
    taxes: Type.Array(taxRow, { description: 'BG-23.' }),
    attachments: Type.Array(
      Type.Object({
        id: text('BT-122.'),
        description: textOrNull('BT-123.'),
        fileName: text('Name of the file.'),
        mimeType: text('Media type of the file.'),
        sizeBytes: Type.Integer({ description: 'How many bytes it has.' }),
      }),
      { description: 'BG-24, without their bytes.' },
    ),
    lines: Type.Array(line, { description: 'BG-25.' }),
  }),
);
