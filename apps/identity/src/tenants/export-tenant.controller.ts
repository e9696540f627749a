import type { Principal } from '@kontor/contracts';
import { Caller, Operation, WriteExport } from '@kontor/service-kit';
import { Controller, Get, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

@Controller('tenant')
export class ExportTenantController {
  constructor(private readonly writeExport: WriteExport) {}

  @Get('export')
  @Operation({
    id: 'exportTenant',
    summary: 'Everything that the organisation has stored',
    description:
      'A ZIP archive with a folder for each service: every table as JSON and as CSV (UTF-8), and all stored files. It is sent while it is ' +
      'written, page by page: what changes meanwhile may be in it or not. Digests and secrets are left out. Needs a key with every permission.',
    tag: 'Tenant',
    permission: '*',
    whenClosed: true,
    responseType: 'application/zip',
  })
  async export(
    @Caller() { tenantId }: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const archive = await this.writeExport.execute({ tenantId, customerId: null }, new Date());
    void reply.header('cache-control', 'private, no-store');
    const disposition = `attachment; filename="tenant_${tenantId}.zip"`;
    return new StreamableFile(archive, { type: 'application/zip', disposition });
  }
}
