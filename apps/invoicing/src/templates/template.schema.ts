import { type Static, Type } from '@sinclair/typebox';
import { LANGUAGES } from '../domain/templates/document-templates.js';
import { TEMPLATE_KINDS } from '../domain/templates/placeholders.js';

const text = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description: `${description}; Liquid in a template.` }));
const kind = Type.Unsafe<(typeof TEMPLATE_KINDS)[number]>(
  Type.String({ enum: [...TEMPLATE_KINDS], description: 'A kind of document, or of mail.' }),
);

const texts = {
  title: text("A document's title"),
  introduction: text('What stands before its lines'),
  closing: text('What stands after them'),
  subject: text("A mail's subject"),
  body: text("A mail's text"),
};

export const templateSchema = Type.Object(
  {
    kind,
    language: Type.Unsafe<(typeof LANGUAGES)[number]>(
      Type.String({ enum: [...LANGUAGES], description: 'Language of the document or mail.' }),
    ),
    isDefault: Type.Boolean({ description: 'Nothing of it was written by the tenant.' }),
    ...texts,
    updatedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the tenant wrote it last.',
    }),
  },
  {
    $id: 'Template',
    description: 'A document has `title`, `introduction` and `closing`; a mail `subject` and `body`, null: ours.',
  },
);
export type TemplateJson = Static<typeof templateSchema>;

export const renderedSchema = Type.Object(texts, { $id: 'RenderedTemplate' });
export type RenderedJson = Static<typeof renderedSchema>;

export const placeholdersSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As templates write it; one that ends in `.*` stands for any key.' }),
      kinds: Type.Array(kind, { description: 'Where it can be used.' }),
      description: Type.String({ description: 'What it stands for.' }),
      example: Type.String({ description: 'What it may come to.' }),
    }),
    { description: 'All of them.' },
  ),
});
