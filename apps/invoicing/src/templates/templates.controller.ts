import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { exampleId, type Principal } from '@kontor/contracts';
import { Caller, Operation, permissionDenied, permits } from '@kontor/service-kit';
import { PLACEHOLDERS } from '../domain/templates/placeholders.js';
import { PreviewTemplate } from './preview-template.js';
import { PreviewTemplateDto, TemplateDto } from './template.dto.js';
import { placeholdersSchema, renderedSchema, type TemplateJson, templateSchema } from './template.schema.js';
import { keyOf, Templates } from './templates.js';

const tag = 'Templates';
const EXAMPLE = {
  title: 'Rechnung',
  introduction: 'Für {{ subscription.name }} berechnen wir {{ totalGrossAmount }}:',
  closing: '{% if customer.companyName != "" %}Vielen Dank für Ihren Auftrag.{% endif %}',
} satisfies TemplateDto;
const RESPONSE: TemplateJson = {
  kind: 'invoice',
  language: 'de',
  isDefault: false,
  ...EXAMPLE,
  updatedAt: '2026-02-28T09:00:00.000Z',
};
const INVALID =
  '`template_invalid`: no Liquid, too long or too slow, or it names a placeholder that there is not; `violations` say which';

/** Texts of documents and mails. */
@Controller('templates')
export class TemplatesController {
  constructor(
    private readonly templates: Templates,
    private readonly previewTemplate: PreviewTemplate,
  ) {}

  @Get('placeholders')
  @Operation({
    id: 'listTemplatePlaceholders',
    summary: 'What templates can name, each with an example',
    description: 'A template that names anything else is refused with 422 `template_invalid`.',
    tag,
    permission: 'settings:read',
    response: placeholdersSchema,
    examples: { response: { data: PLACEHOLDERS.slice(0, 2) } },
  })
  placeholders() {
    return { data: PLACEHOLDERS };
  }

  @Get(':kind/:language')
  @Operation({
    id: 'getTemplate',
    summary: 'The texts of a kind of document or mail in a language',
    description:
      'Kinds are those of `placeholders`; languages `de` and `en`. Subject and body of a mail are null while nobody has written them.',
    tag,
    permission: 'settings:read',
    response: templateSchema,
    examples: { response: RESPONSE },
  })
  get(@Caller() caller: Principal, @Param('kind') kind: string, @Param('language') language: string) {
    return this.templates.get(caller.tenantId, keyOf(kind, language));
  }

  @Put(':kind/:language')
  @Operation({
    id: 'replaceTemplate',
    summary: 'Write the texts of a kind of document or mail',
    description:
      'Liquid, without files and includes, within limits of time and memory. Texts that are not given are ours again. Documents ' +
      'that have their number stay as they are.',
    tag,
    permission: 'settings:write',
    response: templateSchema,
    examples: { request: EXAMPLE, response: RESPONSE },
    errors: { 422: INVALID },
  })
  replace(
    @Caller() caller: Principal,
    @Param('kind') kind: string,
    @Param('language') language: string,
    @Body() dto: TemplateDto,
  ) {
    return this.templates.replace(caller.tenantId, keyOf(kind, language), dto);
  }

  @Post(':kind/:language/preview')
  @Operation({
    id: 'previewTemplate',
    summary: 'Show a template with the values of a document',
    description:
      'The stored template, or the one that is sent; nothing is stored. What the document does not know has its example. ' +
      'It says what the document says: `invoice:read` is needed, too.',
    tag,
    permission: 'settings:read',
    changesNothing: true,
    success: 201,
    response: renderedSchema,
    examples: {
      request: { invoice: exampleId(20), template: EXAMPLE } satisfies PreviewTemplateDto,
      response: { title: 'Rechnung', introduction: 'Für Team berechnen wir 119,00 €:', closing: '' },
    },
    errors: { 422: `${INVALID}; \`invalid_document_type\`: the document is of another kind` },
  })
  preview(
    @Caller() caller: Principal,
    @Param('kind') kind: string,
    @Param('language') language: string,
    @Body() dto: PreviewTemplateDto,
  ) {
    if (!permits(caller.permissions, 'invoice:read')) throw permissionDenied('The permission invoice:read is needed.');
    return this.previewTemplate.execute(caller.tenantId, keyOf(kind, language), dto);
  }
}
