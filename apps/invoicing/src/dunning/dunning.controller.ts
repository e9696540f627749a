import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { INVOICE_EXAMPLE } from '../invoices/invoice.example.js';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { CancelDunning } from './cancel-dunning.js';
import { DUNNING_LIST, DunningDocuments } from './dunning-documents.js';
import { DunningRules, RULE_LIST } from './dunning-rules.js';
import { DunningRuleDto, InvoiceDunningDto } from './dunning.dto.js';
import { DUNNING_DOCUMENT_EXAMPLE, DUNNING_RULE_EXAMPLE, DUNNING_RULE_REQUEST } from './dunning.example.js';
import { dunningDocumentSchema, dunningRuleSchema, dunningRunSchema } from './dunning.schema.js';
import { RunDunning } from './run-dunning.js';
import { SetDunning } from './set-dunning.js';

const tag = 'Dunning';
const LEVEL_EXISTS = '`already_exists`: there is a rule of that level';

/** The levels of dunning. */
@Controller('dunning/overdue-rules')
export class DunningRulesController {
  constructor(private readonly rules: DunningRules) {}

  @Get()
  @Operation({
    id: 'listDunningRules',
    summary: 'Levels of dunning, in their order',
    tag,
    permission: 'dunning-rule:read',
    response: dunningRuleSchema,
  })
  list(@Caller() caller: Principal, @List(RULE_LIST) list: ListQuery) {
    return this.rules.list(caller.tenantId, list);
  }

  @Post()
  @Operation({
    id: 'createDunningRule',
    summary: 'Add a level of dunning',
    description:
      'Each day at 06:00 of the tenant, open invoices come to their next level: the first one `daysOverdue` days after the ' +
      'due date, each later one so many days after the document before it; at most one a day.',
    tag,
    permission: 'dunning-rule:write',
    success: 201,
    response: dunningRuleSchema,
    examples: { request: DUNNING_RULE_REQUEST, response: DUNNING_RULE_EXAMPLE },
    errors: { 422: `${LEVEL_EXISTS}; \`too_many_rules\`` },
  })
  create(@Caller() caller: Principal, @Body() dto: DunningRuleDto) {
    return this.rules.create(caller.tenantId, dto);
  }

  @Get(':id')
  @Operation({
    id: 'getDunningRule',
    summary: 'One level of dunning',
    tag,
    permission: 'dunning-rule:read',
    response: dunningRuleSchema,
    examples: { response: DUNNING_RULE_EXAMPLE },
  })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.rules.get(caller.tenantId, id);
  }

  @Put(':id')
  @Operation({
    id: 'replaceDunningRule',
    summary: 'Replace a level of dunning',
    description: 'Documents that were issued stay as they are.',
    tag,
    permission: 'dunning-rule:write',
    response: dunningRuleSchema,
    examples: { request: DUNNING_RULE_REQUEST, response: DUNNING_RULE_EXAMPLE },
    errors: { 422: LEVEL_EXISTS },
  })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: DunningRuleDto) {
    return this.rules.replace(caller.tenantId, id, dto);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'deleteDunningRule',
    summary: 'Remove a level of dunning',
    tag,
    permission: 'dunning-rule:write',
    success: 204,
  })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.rules.remove(caller.tenantId, id);
  }
}

/** Reminders and dunning letters. */
@Controller('dunning')
export class DunningController {
  constructor(
    private readonly documents: DunningDocuments,
    private readonly runDunning: RunDunning,
    private readonly cancelDunning: CancelDunning,
  ) {}

  @Post('run')
  @Operation({
    id: 'runDunning',
    summary: 'Remind of all that is due now',
    description: 'What the daily run would do. Who runs it again the same day gets no further documents.',
    tag,
    permission: 'dunning-document:write',
    // Page by page.
    resumes: true,
    success: 201,
    response: dunningRunSchema,
    examples: { response: { documents: 3 } },
  })
  async run(@Caller() caller: Principal) {
    return { documents: await this.runDunning.execute(caller.tenantId) };
  }

  @Get('documents')
  @Operation({
    id: 'listDunningDocuments',
    summary: 'Reminders and dunning letters, newest first',
    tag,
    permission: 'dunning-document:read',
    response: dunningDocumentSchema,
  })
  list(@Caller() caller: Principal, @List(DUNNING_LIST) list: ListQuery) {
    return this.documents.list(caller.tenantId, list);
  }

  @Get('documents/:id')
  @Operation({
    id: 'getDunningDocument',
    summary: 'A reminder or dunning letter',
    description: 'Its file is at `/invoices/{id}/pdf` with the same id.',
    tag,
    permission: 'dunning-document:read',
    response: dunningDocumentSchema,
    examples: { response: DUNNING_DOCUMENT_EXAMPLE },
  })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.documents.get(caller.tenantId, id);
  }

  @Put('documents/:id/cancel')
  @Operation({
    id: 'cancelDunningDocument',
    summary: 'Take a reminder or dunning letter back',
    description:
      'Its fees are not owed any more, and the invoice is at the level of the document before. The next level counts ' +
      'from the day of the one that was cancelled.',
    tag,
    permission: 'dunning-document:write',
    response: dunningDocumentSchema,
    examples: { response: { ...DUNNING_DOCUMENT_EXAMPLE, status: 'cancelled' } },
    errors: { 422: '`invalid_status_transition`; `dunning_fee_paid`: its fee is paid, in full or in part' },
  })
  cancel(@Caller() caller: Principal, @IdParam() id: string) {
    return this.cancelDunning.execute(caller.tenantId, id);
  }
}

/** Whether an invoice is dunned. */
@Controller('invoices/:id/dunning')
export class InvoiceDunningController {
  constructor(private readonly setDunning: SetDunning) {}

  @Put()
  @Operation({
    id: 'setInvoiceDunning',
    summary: 'Pause the dunning of an invoice, or let it go on',
    description: 'For all invoices of a customer: `dunningEnabled` of `PUT /customers/{id}/settings`.',
    tag: 'Invoices',
    permission: 'invoice:write',
    response: invoiceSchema,
    examples: {
      request: { dunningDisabled: true } satisfies InvoiceDunningDto,
      response: { ...INVOICE_EXAMPLE, dunningDisabled: true },
    },
    errors: { 422: '`invalid_document_type`: not an invoice' },
  })
  set(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceDunningDto) {
    return this.setDunning.execute(caller.tenantId, id, dto.dunningDisabled);
  }
}
