import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { isUlid } from '@kontor/kernel';
import { badParameter, Caller, IdParam, Internal, Operation, packFiles } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { MEDIA_EXAMPLE } from '../invoices/invoice.example.js';
import { invoiceSchema, mediaSchema } from '../invoices/invoice.schema.js';
import { representMedia } from '../invoices/represent-invoice.js';
import { DocumentFiles, type FileContent } from './document-file.js';
import { PreviewDocument } from './preview-document.js';

const PDF = 'application/pdf';
const XML = 'application/xml';

const SYNTAX = {
  syntax: { type: 'string', enum: ['cii', 'ubl'], default: 'cii', description: 'CII as it is stored, or UBL 2.1.' },
} as const;

/** @throws DomainError 400 `invalid_request`. */
function readSyntax(query: Readonly<Record<string, unknown>>): 'cii' | 'ubl' {
  const { syntax = 'cii' } = query;
  if (syntax !== 'cii' && syntax !== 'ubl') throw badParameter('syntax', 'must be cii or ubl');
  return syntax;
}

/** RFC 6266: an ASCII name for old clients, the real one beside it. */
const disposition = (name: string): string =>
  `inline; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`;

const send = (reply: FastifyReply, { media, bytes }: FileContent): FastifyReply =>
  reply
    .header('content-type', media.mimeType)
    .header('content-disposition', disposition(media.fileName))
    .header('cache-control', 'private, no-store')
    .send(bytes);

@Controller()
export class MediaController {
  constructor(
    private readonly files: DocumentFiles,
    private readonly previewDocument: PreviewDocument,
  ) {}

  @Get('media/:id')
  @Operation({
    id: 'getMedia',
    summary: 'What is known about a file',
    tag: 'Media',
    permission: 'invoice:read',
    response: mediaSchema,
    examples: { response: MEDIA_EXAMPLE },
  })
  async media(@Caller() caller: Principal, @IdParam('id', { format: 'ulid' }) id: string) {
    return representMedia(await this.files.media(caller.tenantId, id));
  }

  @Get('media/:id/download')
  @Operation({
    id: 'downloadMedia',
    summary: 'The bytes of a file',
    tag: 'Media',
    permission: 'invoice:read',
    responseType: PDF,
    alternatives: { [XML]: { type: 'string' } },
  })
  async download(
    @Caller() caller: Principal,
    @IdParam('id', { format: 'ulid' }) id: string,
    @Res() reply: FastifyReply,
  ) {
    await send(reply, await this.files.content(caller.tenantId, id));
  }

  @Get('invoices/:id/pdf')
  @Operation({
    id: 'getInvoicePdf',
    summary: "A finalized document's PDF",
    tag: 'Invoices',
    permission: 'invoice:read',
    responseType: PDF,
  })
  async pdf(@Caller() caller: Principal, @IdParam() id: string, @Res() reply: FastifyReply) {
    await send(reply, await this.files.pdfOf(caller.tenantId, id));
  }

  @Get('invoices/:id/xml')
  @Operation({
    id: 'getInvoiceXml',
    summary: "A finalized document's e-invoice: the file as it is stored (CII), or the same as UBL",
    description:
      'The XML by EN 16931 that was frozen with the document, for a `leitwegId` an XRechnung. 404 for drafts and for documents ' +
      'that are issued as no e-invoice (`xmlFile` null). `syntax=ubl` writes the same content as UBL 2.1, for Peppol.',
    tag: 'Invoices',
    permission: 'invoice:read',
    responseType: XML,
    query: SYNTAX,
  })
  async xml(
    @Caller() caller: Principal,
    @IdParam() id: string,
    @Query() query: Record<string, unknown>,
    @Res() reply: FastifyReply,
  ) {
    const file =
      readSyntax(query) === 'ubl' ? this.files.ublOf(caller.tenantId, id) : this.files.xmlOf(caller.tenantId, id);
    await send(reply, await file);
  }

  @Get('invoices/:id/preview')
  @Operation({
    id: 'previewInvoice',
    summary: 'The document with the file that it has or would have; the PDF itself with "Accept: application/pdf"',
    tag: 'Invoices',
    permission: 'invoice:read',
    response: invoiceSchema,
    alternatives: { [PDF]: {} },
  })
  async preview(
    @Caller() caller: Principal,
    @IdParam() id: string,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const { invoice, pdf } = await this.previewDocument.execute(caller.tenantId, id);
    if (accept?.includes(PDF))
      await reply
        .header('content-type', PDF)
        .header('content-disposition', disposition(invoice.file?.fileName ?? 'preview.pdf'))
        .send(pdf);
    else await reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(invoice));
  }
}

/** For other services, which never touch this one's blobs: the bytes of a file. */
@Internal('media')
export class MediaInternal {
  constructor(private readonly files: DocumentFiles) {}

  /** Those of several files that are stored, packed into one answer: a mail's are fetched with those of others. */
  @Get()
  async several(@Caller() caller: Principal, @Query('ids') ids = '', @Res() reply: FastifyReply) {
    const wanted = ids.split(',').filter((id) => isUlid(id));
    const packed = packFiles(await this.files.stored(caller.tenantId, wanted));
    await reply.header('content-type', 'application/octet-stream').send(packed);
  }

  @Get(':id')
  async content(
    @Caller() caller: Principal,
    @IdParam('id', { format: 'ulid' }) id: string,
    @Res() reply: FastifyReply,
  ) {
    await send(reply, await this.files.content(caller.tenantId, id));
  }
}
