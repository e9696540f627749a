import { Get, Header, Param, Query, StreamableFile } from '@nestjs/common';
import type { ExportFilesResponse, ExportRowsResponse, ExportTablesResponse, Principal } from '@kontor/contracts';
import { Caller } from '../http/route-params.js';
import { Internal } from '../internal/internal.js';
import { ExportData } from './export-data.js';

/** For whoever writes an export: this service's tables and files of a tenant or of one of its customers. */
@Internal('exports')
export class ExportController {
  constructor(private readonly exportData: ExportData) {}

  @Get('tables')
  tables(@Caller() { tenantId }: Principal, @Query('customer') customer?: string): Promise<ExportTablesResponse> {
    return this.exportData.tables({ tenantId, customerId: customer ?? null });
  }

  @Get('tables/:table')
  rows(
    @Caller() { tenantId }: Principal,
    @Param('table') table: string,
    @Query('customer') customer?: string,
    @Query('after') after?: string,
  ): Promise<ExportRowsResponse> {
    return this.exportData.rows({ tenantId, customerId: customer ?? null }, table, after ?? null);
  }

  @Get('files')
  files(
    @Caller() { tenantId }: Principal,
    @Query('customer') customer?: string,
    @Query('after') after?: string,
  ): Promise<ExportFilesResponse> {
    return this.exportData.files({ tenantId, customerId: customer ?? null }, after ?? null);
  }

  @Get('files/:key')
  @Header('content-type', 'application/octet-stream')
  async file(@Caller() { tenantId }: Principal, @Param('key') key: string): Promise<StreamableFile> {
    return new StreamableFile(await this.exportData.file(tenantId, key));
  }
}
