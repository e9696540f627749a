import { Readable } from 'node:stream';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { Body, Controller, Get, Put, Query, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readSpan, requiredSpanQuery, spanQuery } from '../ledger/index.js';
import { ChangeDatevSettings } from './datev-settings.js';
import { DatevSettingsDto } from './datev.dto.js';
import { DATEV_SETTINGS_SCHEMA } from './datev.schema.js';
import { ExportBatch } from './export-batch.js';

const tag = 'Ledger';

@Controller('ledger/datev')
export class DatevController {
  constructor(
    private readonly batch: ExportBatch,
    private readonly settings: ChangeDatevSettings,
  ) {}

  @Get()
  @Operation({
    id: 'exportDatevBatch',
    summary: 'The ledger of some days as a DATEV booking batch',
    description:
      'EXTF 700, "Buchungsstapel" version 13, Windows-1252. One currency (EUR unless given), within one fiscal year.',
    tag,
    permission: 'transaction:read',
    responseType: 'text/csv',
    query: spanQuery,
    requiredQuery: requiredSpanQuery,
    errors: { 422: '`validation_failed`: days of two fiscal years; `too_many_bookings`' },
  })
  async export(
    @Caller() caller: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const asked = readSpan(query);
    const lines = await this.batch.execute(caller.tenantId, asked);
    void reply.header('cache-control', 'no-store');
    const name = `EXTF_Buchungsstapel_${asked.from.replaceAll('-', '')}_${asked.to.replaceAll('-', '')}.csv`;
    return new StreamableFile(Readable.from(lines), {
      type: 'text/csv; charset=windows-1252',
      disposition: `attachment; filename="${name}"`,
    });
  }

  @Get('settings')
  @Operation({
    id: 'getDatevSettings',
    summary: 'How the batch is made',
    tag,
    permission: 'settings:read',
    response: DATEV_SETTINGS_SCHEMA,
  })
  read(@Caller() caller: Principal) {
    return this.settings.read(caller.tenantId);
  }

  @Put('settings')
  @Operation({
    id: 'changeDatevSettings',
    summary: 'Change the supplied settings',
    tag,
    permission: 'settings:write',
    response: DATEV_SETTINGS_SCHEMA,
  })
  change(@Caller() caller: Principal, @Body() dto: DatevSettingsDto) {
    return this.settings.execute(caller.tenantId, dto);
  }
}
