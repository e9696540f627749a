import type { Principal } from '@kontor/contracts';
import {
  Caller,
  DayString,
  Describe,
  FieldCheck,
  IdParam,
  List,
  type ListQuery,
  MAX_LIST_ITEMS,
  Operation,
  OptionalField,
  Uuid,
} from '@kontor/service-kit';
import { Body, Controller, Get, Headers, Post, Res } from '@nestjs/common';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ExportSepaFiles } from './export-sepa-files.js';
import { RejectSepaFile } from './reject-sepa-file.js';
import { ReadSepaFiles } from './sepa.read.js';
import { FILE_TYPES, SEPA_EXPORT_SCHEMA, SEPA_FILE_DETAILS_SCHEMA, SEPA_FILE_SCHEMA } from './sepa.schema.js';
import type { SepaKind } from './sepa-order.row.js';

const tag = 'SEPA files';
const TYPES = Object.values(FILE_TYPES);
/** An external reason code of ISO 20022, of returns and of the status of payments. */
const REASON_CODE = /^[A-Z]{2}\d{2}$/;

export class ExportSepaDto {
  @OptionalField()
  @DayString()
  @Describe(
    'The last day of execution that is exported; in two weeks unless given, which is as far ahead as banks take ' +
      'debits.',
  )
  until?: string | null;

  @OptionalField()
  @IsIn([...TYPES])
  @Describe('Only debits or only transfers.')
  type?: string | null;
}

export class RejectSepaDto {
  @OptionalField()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_LIST_ITEMS)
  @Uuid({ each: true })
  @Describe('Which payments of the file; all of which nothing was heard yet unless given.')
  transactionIds?: string[] | null;

  @OptionalField()
  @FieldCheck({
    code: 'invalid_reason_code',
    message: 'must be a reason code such as AC04',
    types: ['string'],
    schema: { pattern: REASON_CODE.source },
    holds: (value) => typeof value === 'string' && REASON_CODE.test(value),
  })
  @Describe('Why, as the bank says it (pain.002): `AC01`, `AM04`. `MS03`, no reason, unless given.')
  reasonCode?: string | null;
}

@Controller('sepa-xml-payments')
export class SepaController {
  constructor(
    private readonly exportFiles: ExportSepaFiles,
    private readonly rejectFile: RejectSepaFile,
    private readonly read: ReadSepaFiles,
  ) {}

  @Post('export')
  @Operation({
    id: 'exportSepaXmlPayments',
    summary: 'Put everything that is due into SEPA files',
    description:
      'Makes a pain.008.001.08 file of the direct debits and a pain.001.001.09 file of the refunds and pay-outs ' +
      'that are due, as far as there are any. Each is in exactly one file. With nothing due: 422 ' +
      '`nothing_to_export`.',
    tag,
    permission: 'transaction:write',
    response: SEPA_EXPORT_SCHEMA,
  })
  export(@Caller() caller: Principal, @Body() dto: ExportSepaDto) {
    const kinds = (Object.keys(FILE_TYPES) as SepaKind[]).filter((kind) => !dto.type || FILE_TYPES[kind] === dto.type);
    return this.exportFiles.execute(caller.tenantId, { until: dto.until ?? null, kinds: new Set(kinds) });
  }

  @Post(':id/reject')
  @Operation({
    id: 'rejectSepaXmlPayment',
    summary: 'Report that the bank refused a SEPA file, or payments of it',
    description:
      'For what a bank says before it books anything (pain.002), or a file that it never got. Debits have failed: their ' +
      'invoices are collected anew as after any failure. Transfers have failed, and are owed again. What was settled or came back ' +
      'is 422 `invalid_status_transition`. What comes by a bank statement (returns, too) needs no report.',
    tag,
    permission: 'transaction:write',
    response: SEPA_FILE_DETAILS_SCHEMA,
  })
  reject(@Caller() caller: Principal, @IdParam('id') id: string, @Body() dto: RejectSepaDto) {
    return this.rejectFile.execute(caller.tenantId, id, dto.transactionIds ?? null, dto.reasonCode ?? 'MS03');
  }

  @Get()
  @Operation({
    id: 'listSepaXmlPayments',
    summary: 'List SEPA files',
    tag,
    permission: 'transaction:read',
    response: SEPA_FILE_SCHEMA,
  })
  list(
    @Caller() caller: Principal,
    @List({ filters: { type: TYPES }, ranges: ['createdAt'], order: ['createdAt'] }) list: ListQuery,
  ) {
    return this.read.list(caller.tenantId, list);
  }

  @Get(':id')
  @Operation({
    id: 'getSepaXmlPayment',
    summary: 'Download a SEPA file',
    description:
      'The XML for the bank, the same each time. With `Accept: application/json` what is in it and what has ' +
      'become of each payment.',
    tag,
    permission: 'transaction:read',
    responseType: 'application/xml',
    alternatives: { 'application/json': SEPA_FILE_DETAILS_SCHEMA },
  })
  async get(
    @Caller() caller: Principal,
    @IdParam('id') id: string,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (accept?.includes('application/json')) return this.read.get(caller.tenantId, id);
    const { fileName, xml } = await this.read.xml(caller.tenantId, id);
    void reply
      .type('application/xml; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .header('cache-control', 'no-store');
    return xml;
  }
}
