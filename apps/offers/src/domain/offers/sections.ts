import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

const title = Type.Optional(
  Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description: 'Heading of the block.' }),
);
const text = Type.Optional(
  Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], { description: 'What the block says.' }),
);

const MAX_PROPERTIES = 50;

/** A block with a title and a text; what else a program keeps in it is shown to nobody. */
const block = <T extends string>(type: T, description: string) =>
  Type.Object(
    { type: Type.Literal(type), title, text },
    { additionalProperties: true, maxProperties: MAX_PROPERTIES, title: type, description },
  );

/** The blocks of an offer's document, by type. */
export const SECTIONS: readonly TSchema[] = [
  block('letterhead', 'Who sends the offer.'),
  block('parties', 'Between whom it is.'),
  block('text', 'Free text; line breaks are kept.'),
  block('items', 'Introduces what is sold; the lines themselves are those of the subscription.'),
  block('subscription', 'Introduces the subscription: its lines, first invoice, and what comes again.'),
  block('terms', 'Terms that are agreed to.'),
  block('signature', 'What is said where the offer is accepted or signed.'),
];
export const SECTION_TYPES = ['letterhead', 'parties', 'text', 'items', 'subscription', 'terms', 'signature'] as const;

const Section = Type.Union([...SECTIONS]);
const compiled = TypeCompiler.Compile(Section);

/** True for a block of a known type whose title and text are texts. */
export const isSection = (value: unknown): value is Static<typeof Section> => compiled.Check(value);
