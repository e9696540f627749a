import type { Principal } from '@kontor/contracts';
import {
  Caller,
  DayString,
  Describe,
  IdParam,
  List,
  type ListQuery,
  Operation,
  OptionalField,
} from '@kontor/service-kit';
import { Body, Controller, Get, Headers, Post, Res } from '@nestjs/common';
import { IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ExportSepaFiles } from './export-sepa-files.js';
import { ReadSepaFiles } from './sepa.read.js';
import { FILE_TYPES, SEPA_EXPORT_SCHEMA, SEPA_FILE_DETAILS_SCHEMA, SEPA_FILE_SCHEMA } from './sepa.schema.js';
import type { SepaKind } from './sepa-order.row.js';

const tag = 'SEPA files';
const TYPES = Object.values(FILE_TYPES);

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

@Controller('sepa-xml-payments')
export class SepaController {
  constructor(
    private readonly exportFiles: ExportSepaFiles,
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
  export(@Caller() caller: Principal, @Body() dto: ExportSepaDto | undefined) {
    const kinds = (Object.keys(FILE_TYPES) as SepaKind[]).filter((kind) => !dto?.type || FILE_TYPES[kind] === dto.type);
    return this.exportFiles.execute(caller.tenantId, { until: dto?.until ?? null, kinds: new Set(kinds) });
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
