import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

const title = Type.Optional(
  Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description: 'Heading of the block.' }),
);
const text = Type.Optional(
  Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], { description: 'What the block says.' }),
);

/** A document block; what else it holds depends on its type. */
export type OfferSection = { readonly type: string } & Readonly<Record<string, unknown>>;

const MAX_PROPERTIES = 50;

/** A block with a title and a text; what else a program keeps in it is shown to nobody. */
const block = <T extends string>(type: T, description: string, more: TProperties = {}) =>
  Type.Object(
    { type: Type.Literal(type), title, text, ...more },
    { additionalProperties: true, maxProperties: MAX_PROPERTIES, title: type, description },
  );

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const INTERVAL = '^[1-9][0-9]{0,3}[DMY]$';
const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const quantity = (description: string) =>
  Type.String({ pattern: '^(?=.*[1-9])[0-9]{1,9}(\\.[0-9]{1,9})?$', description });
const uuid = (description: string) => Type.String({ pattern: UUID, description });

export const MAX_ITEMS = 100;

const item = Type.Object(
  {
    id: maybe(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Names it for the buyer; its place when absent.' }),
    ),
    pricePlan: uuid('What is sold.'),
    quantity: maybe(quantity('Default: 1. Of an item that is changed: its new quantity.')),
    name: maybe(Type.String({ minLength: 1, maxLength: 255 })),
    description: maybe(Type.String({ maxLength: 1000 })),
    optional: Type.Optional(Type.Boolean({ description: 'True: the buyer may leave it out.' })),
    selected: Type.Optional(Type.Boolean({ description: 'Of an optional one: ticked at first. Default: false.' })),
    minQuantity: maybe(quantity('With `maxQuantity`: within these bounds the buyer may change the quantity.')),
    maxQuantity: maybe(quantity('See `minQuantity`.')),
    subscriptionItem: maybe(uuid('Expansion and renewal: the item that gets this price and quantity.')),
  },
  { additionalProperties: false },
);

const period = Type.Object(
  {
    contractPeriodCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    contractPeriod: Type.String({ pattern: INTERVAL }),
    cancellationPeriod: maybe(Type.String({ pattern: INTERVAL })),
  },
  { additionalProperties: false, description: 'Term of the contract, and the notice before its end.' },
);

/** The blocks of an offer's document, by type. */
export const SECTIONS: readonly TSchema[] = [
  block('letterhead', 'Who sends the offer.'),
  block('parties', 'Between whom it is.'),
  block('text', 'Free text; line breaks are kept.'),
  block('items', 'What is sold. Without `items` it introduces the lines of the subscription.', {
    items: maybe(Type.Array(item, { maxItems: MAX_ITEMS })),
  }),
  block('subscription', 'The subscription: when it begins or changes, and for how long.', {
    plan: maybe(uuid('New business: the plan that is sold.')),
    startsOn: maybe(
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
        description:
          'Day from which on it holds; the day of acceptance when absent, of a renewal the end of the present term.',
      }),
    ),
    trialDays: maybe(Type.Integer({ minimum: 0, maximum: 3650 })),
    period: maybe(period),
  }),
  block('terms', 'Terms that are agreed to.'),
  block('signature', 'What is said where the offer is accepted or signed.'),
];
export const SECTION_TYPES = ['letterhead', 'parties', 'text', 'items', 'subscription', 'terms', 'signature'] as const;

export type ItemBlock = Static<typeof item>;
export type TermBlock = Static<typeof period>;

const Section = Type.Union([...SECTIONS]);
export const SectionsSchema = Type.Unsafe<OfferSection[]>(Type.Array(Section));
const compiled = TypeCompiler.Compile(Section);

/** Characters that JavaScript counts as two, as the compiled check does and the document of the API does not. */
const WIDE = /[\u{10000}-\u{10FFFF}]/gu;

/** True for a block of a known type whose title and text are texts. */
export const isSection = (value: unknown): value is Static<typeof Section> =>
  compiled.Check(value) || compiled.Check(JSON.parse(JSON.stringify(value ?? null).replace(WIDE, '_')));
