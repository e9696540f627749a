import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { isDay } from '@kontor/kernel';
import { badParameter, Caller, Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { ExportDocuments, type RequestedDays } from './export-documents.js';

const days = {
  from: {
    type: 'string',
    format: 'date',
    description: 'First day of finalization, in the zone of the tenant. Required.',
  },
  to: { type: 'string', format: 'date', description: 'Last day, included. Required.' },
};

@Controller('documents')
export class ExportsController {
  constructor(private readonly exportDocuments: ExportDocuments) {}

  @Get('export')
  @Operation({
    id: 'exportDocuments',
    summary: 'All files of the documents of some days, for an auditor',
    description:
      'A ZIP archive: the files of all documents that were finalized on these days, as they were stored, and tables about ' +
      'documents, positions, taxes and files (CSV, UTF-8, with SHA-256 of each file), described by `index.xml` in the ' +
      'standard of the German tax authorities (GoBD, once GDPdU). It is sent while it is written; a file that has not been ' +
      'rendered yet is rendered.',
    tag: 'Media',
    permission: 'invoice:read',
    responseType: 'application/zip',
    query: days,
  })
  async export(
    @Caller() caller: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const asked = readDays(query);
    const archive = await this.exportDocuments.execute(caller.tenantId, asked);
    void reply.header('cache-control', 'private, no-store');
    return new StreamableFile(archive, {
      type: 'application/zip',
      disposition: `attachment; filename="documents_${asked.from}_${asked.to}.zip"`,
    });
  }
}

/** @throws DomainError 400 `invalid_request`. */
function readDays(query: Readonly<Record<string, unknown>>): RequestedDays {
  const { from, to } = query;
  if (!isDay(from)) throw badParameter('from', 'must be a day, YYYY-MM-DD');
  if (!isDay(to)) throw badParameter('to', 'must be a day, YYYY-MM-DD');
  if (to < from) throw badParameter('to', 'must not lie before from');
  return { from, to };
}
